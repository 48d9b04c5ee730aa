"""The arrow is a test: which room may import which."""

import ast
from functools import cache
from pathlib import Path

import pytest

import deixis

ROOT = Path(deixis.__file__).parent
KERNEL = {"records", "errors", "seeds", "store", "__init__"}
MAY_IMPORT = {
    "__main__": {"cli"},
    "records": set(),
    "errors": set(),
    "seeds": set(),
    "store": {"records", "errors"},
    "items": KERNEL,
    "experiments": KERNEL | {"items", "scenes"},
    "scenes": KERNEL,
    "participants": KERNEL | {"items"},
    "scoring": KERNEL | {"experiments"},
    "published": KERNEL,
    "analysis": KERNEL | {"experiments", "scoring", "published"},
    "runs": KERNEL | {"items", "experiments", "participants"},
    "report": KERNEL | {"experiments", "items", "scenes", "scoring", "analysis", "published"},
    "study": KERNEL | {"items", "experiments", "scenes", "participants", "scoring"},
    "cli": KERNEL | {"items", "scenes", "experiments", "participants", "scoring", "report", "runs", "study"},
}
MODULES = sorted(ROOT.rglob("*.py"))
ADAPTERS = {
    "api",
    "gguf",
    "llama",
    "forced",
    "embedded",
    "hf",
    "hf_batches",
    "hf_load",
    "hf_noise",
    "hf_prefix",
    "requantise",
    "participant",
    "vllm",
}


def name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> frozenset[tuple[str, str]]:
    """Module and name of every import of the project's own, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            if (node.module or "").startswith("deixis"):
                found |= {(str(node.module), alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names if alias.name.startswith("deixis")}
    return frozenset(found)


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def modules_of(path: Path) -> set[str]:
    """The project's modules that a file imports, names that are modules resolved."""
    known = {name(other) for other in MODULES}
    return {f"{m}.{n}" if f"{m}.{n}" in known else m for m, n in imports(path)}


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_rooms_import_only_what_the_table_allows(path: Path) -> None:
    own = room(name(path))
    if own == "__init__":
        assert not modules_of(path)
        return
    for module in modules_of(path):
        assert room(module) == own or room(module) in MAY_IMPORT[own], f"{name(path)} imports {module}"


def test_no_cycles() -> None:
    graph = {name(path): modules_of(path) - {name(path)} for path in MODULES}
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " → ".join((*trail, module))
        if module not in done:
            for other in graph.get(module, set()):
                visit(other, (*trail, module))
            done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("adapter", sorted(ADAPTERS))
def test_no_model_adapter_can_reach_a_trial(adapter: str) -> None:
    """Neither the adapter nor anything of the project it imports knows Trial, Score or the experiments."""
    reached: set[Path] = set()
    waiting = [ROOT / "participants" / f"{adapter}.py"]
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        names = {imported for module, imported in imports(path) if module == "deixis.records"}
        assert not names & {"Trial", "Score", "Item"}, f"{name(path)} knows {names}"
        for module in modules_of(path):
            assert room(module) in {"participants", "records", "errors", "seeds", "__init__"}, f"{path} → {module}"
            if room(module) == "participants":
                waiting += [other for other in MODULES if name(other) == module]


def test_every_module_says_what_it_is() -> None:
    for path in MODULES:
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))), f"{name(path)} has no docstring"
