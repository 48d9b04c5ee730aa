"""Progress for logs: a line every tenth part."""

import pytest

from deixis.runs.progress import Bars


def test_a_log_gets_a_line_every_tenth_part(capsys: pytest.CaptureFixture[str]) -> None:
    bars = Bars()
    bars.fetch(1, 93_000_000)
    bars.fetch(2, 93_000_000)
    bars.start("strategy:oracle", 0, 100)
    bars.step()
    bars.end()
    bars.start("gguf:x", 15, 40)
    for _ in range(25):
        bars.step()
    bars.end()
    bars.start("gguf:y", 40, 40)
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == ["fetching the embedded model, once (93 MB)", "gguf:x: 15 of 40 answered, asking the rest"]
    assert [line.split(",")[0] for line in told[2:]] == [
        f"gguf:x: {n} of 40 answered" for n in (16, 20, 24, 28, 32, 36, 40)
    ]
    assert told[-1].startswith("gguf:x: 40 of 40")
