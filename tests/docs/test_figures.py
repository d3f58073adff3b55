"""Figures that stand in two places of the docs, or in a file beside them, are the same there."""

from __future__ import annotations

import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]
SIMULATION = (PROJECT / "docs" / "simulation.md").read_text(encoding="utf-8")
IN_DEPTH = (PROJECT / "docs" / "tracking-in-depth.md").read_text(encoding="utf-8")
BY_DAY = re.compile(r"^  ([a-z-]+) +(\d+) of (\d+)$", re.MULTILINE)
LOGGED = re.compile(r"^seed (\d+): (\d+) boards, ([\d.]+) h, .* (\d+) findings,", re.MULTILINE)
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def numbers(pattern: str, page: str) -> list[int]:
    found = re.search(re.sub(r" +", r"\\s+", pattern), page)
    assert found is not None, f"no sentence is like {pattern!r}"
    return [int(group.replace(",", "")) for group in found.groups()]


def wrong_of_the_certain() -> dict[str, tuple[int, int]]:
    """By day: so many were wrong, of so many that were told as certain."""
    return {day: (int(wrong), int(told)) for day, wrong, told in BY_DAY.findall(SIMULATION)}


def sums(days: list[str]) -> list[int]:
    found = wrong_of_the_certain()
    return [sum(found[day][0] for day in days), sum(found[day][1] for day in days)]


def test_what_is_wrong_of_the_certain_adds_up() -> None:
    days = list(wrong_of_the_certain())
    quiet = [day for day in days if day != "overlapping"]

    assert numbers(r"told as certain: (\d+) wrong of (\d+)", SIMULATION) == sums(days)
    assert numbers(r"Outside `overlapping` ([\d,]+) of ([\d,]+)", SIMULATION) == sums(quiet)


def test_the_page_in_depth_says_of_it_what_the_page_of_the_simulation_says() -> None:
    overlapping = r"([\d,]+) of ([\d,]+) half-moves told as certain were wrong in `overlapping`"
    two_days = r"([\d,]+) of ([\d,]+) in `blitz-scramble` and `occupancy`"

    assert numbers(overlapping, IN_DEPTH) == sums(["overlapping"])
    assert numbers(two_days, IN_DEPTH) == sums(["blitz-scramble", "occupancy"])


def test_the_page_says_what_the_log_of_rehearsals_comes_to() -> None:
    log = (PROJECT / "tests" / "simulation" / "rehearsals.log").read_text(encoding="utf-8")
    days = {seed: (int(boards), float(hours), int(found)) for seed, boards, hours, found in
            LOGGED.findall(log)}  # fmt: skip
    at_fault = [seed for seed, (_, _, found) in days.items() if found]
    hours = sum(boards * hours for boards, hours, _ in days.values())

    said = numbers(r"The whole log has ([\d,]+) seeds and ([\d,]+) board-hours", SIMULATION)
    assert said == [len(days), int(hours)]
    assert f"{WORDS[len(at_fault)]} of its days have a finding" in SIMULATION
    for seed in at_fault:
        assert re.search(rf"\b{seed}\b", SIMULATION), f"nothing is said of seed {seed}"
