"""The order page: orders put together by touch, and the email that they make."""
