"""Orders put together part by part: a group's goal, then its cubes."""

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.model import ALL_CUBES, AnyOrder, Instruction, Move, View
from games.plains_indian_wars.phrases import region_name

OrderParts = tuple[tuple[str, ...], tuple[str, ...]]


def compose_order(view: View, order: AnyOrder) -> OrderParts | None:
    """Return the steps to an order, and what is added after them in any order; None: its text says all."""
    if isinstance(order, Move):
        here = view.cubes.get(order.start, {})
        counts = {colour: here.get(colour, 0) if n == ALL_CUBES else n for colour, n in order.cubes.items()}
        return (f"move to {region_name(order.to)}",), tuple(f"{n} {colour}" for colour, n in counts.items())
    if isinstance(order, Instruction):
        return _instruction_steps(order), ()
    return None


def _instruction_steps(order: Instruction) -> tuple[str, ...]:
    says = order.says
    match order.topic:
        case "withdraw":
            many = "never" if says[0] == standing_orders.NEVER else f"at {says[0]} or fewer"
            return "withdraw", order.about, many
        case "fall back" | "drive" as topic:
            return topic, f"from {region_name(order.about)}", f"to {region_name(says[0])}"
        case "equal":
            return "between equals", "we leave" if says[0] == standing_orders.WE_LEAVE else "the tribes leave"
        case "trail":
            return "wagons at the fork", f"{says[1] if says[1:] else 'all'} by {says[0]}"
        case "custer":
            return "Custer rides", f"in {region_name(says[0])}"
        case "fight":
            return "engagements", " then ".join(f"{region_name(region)} first" for region in says)
        case topic:
            return topic, " then ".join(says)
