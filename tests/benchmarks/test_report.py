"""Report: goals are judged on the right side, and the page holds every figure."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import main
from benchmarks.goals import GOALS, judge
from benchmarks.report import document, render_page
from benchmarks.result import Result

RESULTS = {
    "memory": Result("Four layers in memory", [("", "p50 µs"), ("authguard", "5.0")], {"memory_4_layers_us": 5.0}),
    "growth": Result("Growth", [("", "1,000 keys"), ("memory", "4.4")], {"growth_1k_to_1m_keys": 1.1}),
}


def test_goals_are_judged_on_their_own_side() -> None:
    assert GOALS["memory_4_layers_us"].is_met(4.0)
    assert not GOALS["memory_4_layers_us"].is_met(4.01)
    assert GOALS["limits_over_ours_memory_4_layers"].is_met(4.0)
    assert not GOALS["limits_over_ours_memory_4_layers"].is_met(3.99)


def test_metrics_without_a_goal_are_shown_and_not_judged() -> None:
    assert judge({"cold_start_ms": 9.0, "memory_4_layers_us": 5.0})[1:] == [
        ("memory_4_layers_us", "5.00", "≤ 4", "no"),
        ("cold_start_ms", "9.00", "", ""),
    ]


def test_the_document_has_every_metric() -> None:
    assert document(RESULTS) == {"metrics": {"memory_4_layers_us": 5.0, "growth_1k_to_1m_keys": 1.1}}


def test_the_page_has_every_table_and_the_machine() -> None:
    page = render_page(RESULTS, [("processor", "a fast one")])
    for line in ("| processor | a fast one |", "| authguard | 5.0 |", "| memory | 4.4 |", "| growth_1k_to_1m_keys |"):
        assert line in page
    assert "performance.svg" in page


def test_the_page_is_of_a_whole_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--only", "memory", "--page", "page.md"])
    assert "--page without --only" in capsys.readouterr().err
