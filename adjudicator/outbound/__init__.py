"""Outbound mail: the side effects of acts for other players, and our letters about them."""
