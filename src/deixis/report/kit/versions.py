"""The versions of what a report is made with: deixis and every distribution that it needs here."""

import re
from importlib.metadata import PackageNotFoundError, distribution

OWN = "deixis"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def versions() -> dict[str, str]:
    """Return distribution to version, deixis first and then by name; what is an extra of anything is left out."""
    found: dict[str, str] = {}
    waiting = [OWN]
    while waiting:
        name = _plain(waiting.pop())
        if name in found:
            continue
        try:
            here = distribution(name)
        except PackageNotFoundError:  # asked for on other systems only
            continue
        found[name] = here.version
        for wanted in here.requires or []:
            need, _, condition = wanted.partition(";")
            named = _NAME.match(need.strip())
            if named is not None and "extra" not in condition:
                waiting.append(named.group())
    return {OWN: found.pop(OWN), **dict(sorted(found.items()))} if OWN in found else dict(sorted(found.items()))


def requirements() -> str:
    """Return the versions as pip reads them."""
    return "".join(f"{name}=={version}\n" for name, version in versions().items())


def differing(text: str) -> list[str]:
    """Return in words what was another version when ``text``, as :func:`requirements` makes it, was written."""
    here = versions()
    then = dict(line.split("==", 1) for line in text.splitlines() if "==" in line)
    return [f"{name} {then[name]} (here {here.get(name, 'missing')})" for name in then if here.get(name) != then[name]]


def _plain(name: str) -> str:
    """A distribution's name as indexes write it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
