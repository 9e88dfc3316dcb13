"""Computed values are cached with the value that they come from, and each is computed once."""

from orders.reading.budget import MAX_MADE_VALUES, ask_once, make_once


class Asked:
    """Notes what it is asked, and answers with how often it was."""

    def __init__(self) -> None:
        self.of: list[object] = []

    def __call__(self, value: object = None) -> int:
        self.of.append(value)
        return len(self.of)


def test_each_value_has_its_own() -> None:
    made = make_once(lambda words: [*words, "made"])
    values = [(str(number),) for number in range(3 * MAX_MADE_VALUES)]
    assert [made(value) for value in values] == [[*value, "made"] for value in values]
    assert made(values[-1]) is made(values[-1])


def test_equal_values_are_made_ready_once() -> None:
    made = make_once(Asked())
    assert [made(tuple("ab")), made(tuple("ab")), made(tuple("abc"))] == [1, 1, 2]


def test_a_question_is_asked_when_its_answer_is_wanted_and_once() -> None:
    asked = Asked()
    answer = ask_once(asked)
    assert asked.of == []
    assert [answer(), answer()] == [1, 1]
