"""The demonstration: two game-years of Indianomacy by real mail, three scripted players, five bots."""
