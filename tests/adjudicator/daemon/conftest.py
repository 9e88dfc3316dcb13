"""Nobody looks at pictures here."""

from tests.kit import pictures

unseen = pictures.unseen
