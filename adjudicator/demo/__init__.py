"""The demonstration: two game-years of Indianomacy by real email, three scripted players, five bots."""
