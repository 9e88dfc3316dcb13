"""The wheel and its dependencies, as tests/deploy builds them."""

from tests.deploy.conftest import sources, wheel

__all__ = ["sources", "wheel"]
