"""Fixtures that several rooms share."""

import csv
import shutil
from pathlib import Path

import pytest

from deixis.errors import FetchError
from deixis.experiments import experiment
from deixis.experiments.experiment import Design
from deixis.items.bank import load_bank
from deixis.items.files import write_items
from deixis.participants.embedded import embedded_model

SHARED = Path(__file__).parents[2] / "shared"
HEADER = (
    "unique_id,Item_ID,sentence,sentence_type,context,context_prime,ground_truth,indexical,question,"
    "non-shifted_option,shifted_option,renamed_sentence,name_mapping,gender"
).split(",")


@pytest.fixture(scope="session")
def published_csv() -> Path:
    """The published data set, which carries no licence and is never part of the repository."""
    path = SHARED / "eid" / "complete_data.csv"
    if not path.exists():
        pytest.skip("the published data set is not beside the repository")
    return path


@pytest.fixture(scope="session")
def bank() -> Design:
    """The bank under the corrected protocol, 3,200 questions."""
    return experiment("indexicals").design(None, "main", "corrected", 0)


@pytest.fixture(scope="session")
def few_items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first 12 items of each indexical, as a file."""
    path = tmp_path_factory.mktemp("items") / "few.jsonl"
    write_items(path, [item for item in load_bank() if item.number <= 12])
    return path


@pytest.fixture(scope="session")
def few(few_items: Path) -> Design:
    """Their four classic cells: 192 questions under the corrected protocol."""
    return experiment("indexicals").design(few_items, "classic", "corrected", 0)


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """The embedded model, fetched once into the user's cache."""
    try:
        return embedded_model()
    except FetchError as error:
        pytest.skip(f"needs the embedded model: {error}")


@pytest.fixture(scope="session")
def chromium() -> str:
    """A browser to look at pages with."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None or shutil.which("chromedriver") is None:
        pytest.skip("needs chromium and chromedriver")
    return found


def item_rows(number: int = 1, **changes: str) -> list[dict[str, str]]:
    """Four rows of one sound item about *I* in the published format; ``changes`` replace columns in every row."""
    rows = []
    for place, (sentence_type, prime) in enumerate(
        (s, p) for s in ("non-quot", "quotation") for p in ("non-shifted", "shifted")
    ):
        hint = "knows how hard I train" if prime == "non-shifted" else "likes to boast"
        context = f"I am Andrew. My friend Chris {hint}."
        sentence = "Chris thinks that I will win." if sentence_type == "non-quot" else 'Chris thinks "I will win".'
        row = {
            "unique_id": f"{number}-{place}",
            "Item_ID": str(number),
            "sentence": sentence,
            "sentence_type": sentence_type,
            "context": context,
            "context_prime": prime,
            "ground_truth": "non-shifted" if sentence_type == "non-quot" else "shifted",
            "indexical": "I",
            "question": "According to the last sentence, who will win?",
            "non-shifted_option": "Nora",
            "shifted_option": "Ida",
            "renamed_sentence": f"{context} {sentence}".replace("Andrew", "Nora").replace("Chris", "Ida"),
            "name_mapping": "Andrew -> Nora\nChris -> Ida",
            "gender": "female",
        }
        rows.append({**row, **changes})
    return rows


def write_csv(path: Path, rows: list[dict[str, str]], header: list[str] | None = None) -> Path:
    """Write rows as CSV and return the path."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, header or HEADER, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path
