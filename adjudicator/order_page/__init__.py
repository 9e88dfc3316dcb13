"""The order sheet as a page: orders put together by touch, and the letter that they make."""
