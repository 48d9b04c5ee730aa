"""One table of ``study.toml``, read key by key: every fault is noted, none stops the reading."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any


class Fields:
    """The keys of a table. Each is asked for once; what was never asked for is unknown, and said at the end."""

    def __init__(self, name: str, table: object, faults: list[str]) -> None:
        self.name = name
        self.faults = faults
        self._table: Mapping[str, Any] = table if isinstance(table, dict) else {}
        self._asked: list[str] = []
        if not isinstance(table, dict):
            self.fault(f"is no table but {table!r}; write [{name}]")

    def fault(self, text: str) -> None:
        """Note what is wrong with the table."""
        self.faults.append(f"[{self.name}] {text}")

    def __contains__(self, key: str) -> bool:
        return key in self._table

    def raw(self, key: str) -> object:
        """Return what stands there, as it stands, without asking for it."""
        return self._table.get(key)

    def know(self, *keys: str) -> None:
        """Take keys for known, without asking what stands there."""
        self._asked += keys

    def text(self, key: str, default: str = "", among: Sequence[str] = ()) -> str:
        """Return a text; one of ``among`` where those are given."""
        value = self._value(key, default)
        if not isinstance(value, str):
            self.fault(f"{key} is {value!r}; write a text in quotation marks")
            return default
        if among and value not in among:
            near = get_close_matches(value, among, n=1)
            self.fault(f"{key} is {value!r}; {_nearest(near)}there is {', '.join(among)}")
            return default
        return value

    def number(self, key: str, default: float, low: float = 0.0, high: float = float("inf")) -> float:
        """Return a number between two bounds, both allowed."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            bounds = f"from {low:g} to {high:g}" if high < float("inf") else f"of {low:g} or more"
            self.fault(f"{key} is {value!r}; write a number {bounds}")
            return default
        return float(value)

    def whole(self, key: str, default: int, low: int = 0, high: int = 10**9) -> int:
        """Return a whole number between two bounds, both allowed."""
        value = self._value(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fault(f"{key} is {value!r}; write a whole number from {low} to {high}")
            return default
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self._value(key, default)
        if not isinstance(value, bool):
            self.fault(f"{key} is {value!r}; write true or false")
            return default
        return value

    def texts(self, key: str, default: Sequence[str], among: Sequence[str] = ()) -> tuple[str, ...]:
        """Return a list of texts, each of them one of ``among`` where those are given."""
        value = self._value(key, list(default))
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.fault(f"{key} is {value!r}; write a list of texts")
            return tuple(default)
        for one in value if among else ():
            if one not in among:
                self.fault(
                    f"{key} has {one!r}; {_nearest(get_close_matches(one, among, n=1))}there is {', '.join(among)}"
                )
        return tuple(one for one in value if not among or one in among)

    def table(self, key: str) -> Mapping[str, Any]:
        """Return what stands in a table within this one."""
        value = self._value(key, {})
        if not isinstance(value, dict):
            self.fault(f"{key} is {value!r}; write {key} = {{NAME = VALUE}}")
            return {}
        return value

    def tables(self, key: str) -> list[Any]:
        """Return a list of tables, as it stands."""
        value = self._value(key, [])
        if not isinstance(value, list):
            self.fault(f"{key} is {value!r}; write a list of tables")
            return []
        return value

    def end(self) -> None:
        """Note every key that nobody asked for, with the nearest that there is."""
        for key in self._table:
            if key not in self._asked:
                near = _nearest(get_close_matches(key, self._asked, n=1, cutoff=0.5))
                self.fault(f"{key} is unknown; {near}there is {', '.join(dict.fromkeys(self._asked)) or 'nothing'}")

    def _value(self, key: str, default: Any) -> Any:
        self._asked.append(key)
        return self._table.get(key, default)


def _nearest(near: Sequence[str]) -> str:
    return f"nearest: {near[0]}; " if near else ""
