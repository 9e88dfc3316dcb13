"""The Second Boer War, by Krzysztof Dytczak."""
