"""What all tests of the house share."""

from tests.kit import pictures, sockets

no_socket_stays = sockets.no_socket_stays
unseen = pictures.unseen
