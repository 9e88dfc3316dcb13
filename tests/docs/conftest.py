"""The wheel and what it needs, as tests/deploy builds them."""

from tests.deploy.conftest import sources, wheel

__all__ = ["sources", "wheel"]
