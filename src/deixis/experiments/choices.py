"""What is offered: options with their features, and the order they stand in, computed and never drawn."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from deixis.records import Option


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of one trial before they are put in order."""

    options: tuple[Option, ...]
    """In an order that is the same for every trial of a kind."""
    right: int
    """Index of the right one."""

    @property
    def answer(self) -> str:
        """The words of the right option."""
        return self.options[self.right].text

    @property
    def answers(self) -> tuple[str, ...]:
        """The words of the right option and of those that mean the same."""
        right = self.options[self.right].features
        return tuple(option.text for option in self.options if option.features == right)

    @property
    def offered(self) -> frozenset[str]:
        """The words of all of them, in no order."""
        return frozenset(option.text for option in self.options)

    def ordered(self, order: "Order | None") -> tuple[tuple[Option, ...], int]:
        """Return the options as they are shown, and where the right one stands; without an order, by the alphabet."""
        if order is None:
            places = sorted(range(len(self.options)), key=lambda place: self.options[place].text)
        else:
            places = arrangement(len(self.options), order)
        return tuple(self.options[place] for place in places), places.index(self.right)

    def placing(self, position: int, cycle: int) -> "Order":
        """Return the order of a cycle that puts the right option at a position."""
        cycles = _cycles(len(self.options))
        return Order(cycle, cycles[cycle % len(cycles)].index(self.right) - position)


@dataclass(frozen=True, slots=True)
class Order:
    """One of the orders of options: a cyclic order, and where it begins.

    Four options have 24 orders: six cyclic ones, each begun at four places. Going once through the four beginnings
    puts every option at every position; going through the six as well, every order occurs.
    """

    cycle: int
    """Which cyclic order, counted modulo how many there are (6 of four options, 1 of two)."""
    turn: int
    """How far it is turned, counted modulo the number of options."""


@lru_cache(maxsize=64)
def _cycles(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple((0, *rest) for rest in permutations(range(1, count)))


def arrangement(count: int, order: Order) -> list[int]:
    """Return which option stands at each position."""
    cycles = _cycles(count)
    cycle = cycles[order.cycle % len(cycles)]
    turn = order.turn % count
    return [*cycle[turn:], *cycle[:turn]]
