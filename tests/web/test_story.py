"""The sentences of stories are true: each is compared with the review's figures."""

import itertools
import json
import re
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fifteentwo.i18n import catalogue, text
from fifteentwo.i18n.cards import cards_text, listed
from fifteentwo.rules import pegging
from fifteentwo.rules.actions import Play
from fifteentwo.rules.cards import Card
from fifteentwo.rules.record import Record, last_state, replay, to_json
from fifteentwo.rules.show import points
from fifteentwo.rules.state import start
from fifteentwo.rules.variants import Variant
from fifteentwo.server.study.game_story import tell_story
from fifteentwo.server.study.review_queue import ReviewRequest, _send_parts
from fifteentwo.server.study.reviews import ReviewedGames
from tests.support.quick_records import played
from tests.web.modules import STATIC
from tests.web.test_node import node_path

VARIANTS = [variant.value for variant in Variant]
TELL = """
import { readFileSync } from "node:fs";
const at = process.env.STATIC;
const { useWords } = await import(`${at}/text.js`);
const { Reviewed } = await import(`${at}/review/reviewed.js`);
const { answered, isFine, nudge, screensOf } = await import(`${at}/review/screens.js`);
const { balance } = await import(`${at}/review/headline.js`);
const { cardsOf } = await import(`${at}/review/story.js`);
const { words, games } = JSON.parse(readFileSync(process.env.GAMES, "utf-8"));
useWords(words);
const answersOf = (game, decision) => Object.fromEntries(
  ["", ...decision.options.map(({ choice }) => choice)].map((choice) => [
    choice,
    answered(game, decision, choice ? cardsOf(decision, choice) : []),
  ]),
);
const told = games.map(({ lines, seat }) => {
  const game = new Reviewed();
  Object.assign(game, { seat, ownSeat: seat || null });
  for (const line of lines) game.take(line);
  const screens = screensOf(game).map((screen) => ({
    ...screen,
    answers: screen.kind === "mistake" && answersOf(game, screen.decision),
    nudges: screen.kind === "mistake" && Object.fromEntries(
      screen.decision.options
        .filter((option) => !isFine(screen.decision, option))
        .map((option) => [option.choice, nudge(game, screen.decision, option)]),
    ),
  }));
  const [play, cards] = balance(game);
  return { screens, shares: play ? { play: play.by, cards: cards.by } : null };
});
console.log(JSON.stringify(told));
"""
"""Script that prints the screens of each game, and of each mistake the words after each choice."""


def _lines(game: Record) -> list[dict[str, Any]]:
    """Return the lines of a review as the page receives them."""
    story = tell_story(game, "en")
    sent: list[bytes] = [to_json({"t": "story", "d": story})]
    request = ReviewRequest(record=game, story=story, lang="en")
    _send_parts(request, ReviewedGames(), sent.append, threading.Event())
    return [json.loads(line) for line in sent]


def _is_cost(said: str, win: float | None, points: float) -> bool:
    """Return whether a gain in words is this win probability or these points, as far as it is rounded."""
    if games := re.fullmatch(r"wins about ([\d.]+) games? in 100 more", said):
        return win is not None and _rounded(games[1], 100 * win)
    if mean := re.fullmatch(r"makes ([\d.]+) points more on average", said):
        return win is None and abs(float(mean[1]) - points) <= 0.06
    if said == "wins a little more often":
        return win is not None and win < 0.0056
    return said == "makes practically no difference" and (points < 0.06 if win is None else win < 0.0016)


def _rounded(said: str, games: float) -> bool:
    """Return whether a number of games of 100 is this one, as far as both are rounded."""
    return abs(float(said) - games) <= (0.05 if float(said) < 2 else 0.5) + 0.11


def _is_verdict(said: str, own: tuple[float | None, float], chosen: tuple[float | None, float]) -> bool:
    """Return whether a new choice is rightly called better or worse than, or level with, that of the game."""
    now, before = ((100 * win if win is not None else points) for win, points in (own, chosen))
    if said == "✗ Another choice, but it costs as much as the one in the game.":
        return abs(now - before) <= (0.12 if own[0] is None else 1.22 if now >= 1.8 else 0.32)
    if said == "✗ This costs more than the choice in the game.":
        return now > before
    # Losses are differences of printed figures.
    limit = 0.3 if own[0] is None else 1
    if said == "✓ Better than in the game, and practically as good as the best.":
        return now < before and now < limit + 0.12
    return said == "Better than in the game, but there is a better choice." and limit - 0.12 < now < before


def _parts(decision: dict[str, Any], option: dict[str, Any], own_crib: bool) -> dict[str, float]:
    """Return by how much the best discard is better than another in hand, crib and pegging."""
    best = decision["options"][0]
    gains = {part: (best.get(part) or 0) - (option.get(part) or 0) for part in ("hand", "crib", "play")}
    return gains if own_crib else {"hand": gains["hand"], "their-crib": -gains["crib"], "play": gains["play"]}


def _check_comparison(than_best: str, decision: dict[str, Any], option: dict[str, Any]) -> None:
    than = re.fullmatch(r"The best was (.+): compared with (.+), it (.+)\.", than_best)
    assert than
    assert than[1] in _signs(decision, decision["best"])
    assert than[2] in _signs(decision, option["choice"])
    assert _is_cost(than[3], *_loss(decision, option))


def _check_nudge(said: str, decision: dict[str, Any], option: dict[str, Any], title: str) -> None:
    """Expect a hint that names the choice that failed, points the right way, and not the answer."""
    hint = re.fullmatch(r"(.+): there is a better choice\. (.+) Try once more\.", said)
    assert hint
    assert hint[1] in _signs(decision, option["choice"])
    if decision["kind"] == "play":
        order = "A23456789TJQK".index
        way = "lower" if order(decision["best"]) < order(option["choice"]) else "higher"
        assert hint[2] == text(f"story.idea.{way}", "en")
    else:
        parts = _parts(decision, option, "own crib" in title)
        most = max(parts, key=lambda part: parts[part])
        assert hint[2] == text(f"story.idea.{most if parts[most] >= 0.05 else 'score'}", "en")
        # The figures are averages: without the starter the better hand may make no more points.
        assert most == "play" or parts[most] < 0.05 or "on average" in hint[2]
        assert not re.search("two|four", hint[2]), "how many cards are discarded depends on the game"


def _loss(decision: dict[str, Any], option: dict[str, Any]) -> tuple[float | None, float]:
    best = decision["options"][0]
    win = None if best["win"] is None else best["win"] - option["win"]
    return win, best["points"] - option["points"]


def _signs(decision: dict[str, Any], choice: str) -> set[str]:
    """Return how the cards of a choice may be written: any held card of the rank that is played."""
    if decision["kind"] == "discard":
        return {cards_text(choice.split(), "en")}
    return {cards_text([card], "en") for card in decision["hand"] if card[0] == choice}


def _at(decision: dict[str, Any], record: Record) -> str:
    return f"Deal {decision['deal']}, {_scores(record, decision['score'])}"


def _scores(record: Record, points: Sequence[int]) -> str:
    """Return scores by side, each with the names of the side's players."""
    names = [record.names[who] for who in last_state(record).seating]
    sides = record.rules.sides
    return " – ".join(f"{listed(names[side::sides], 'en')} {n}" for side, n in enumerate(points))


@pytest.mark.parametrize(
    "games_told", [pytest.param(15, marks=pytest.mark.long), pytest.param(50, marks=pytest.mark.slow)]
)
def test_every_sentence_of_many_stories_is_true(tmp_path: Path, games_told: int) -> None:
    variants = itertools.cycle(VARIANTS)
    games: list[dict[str, Any]] = []
    records: list[Record] = []
    for number, variant in zip(range(games_told), variants, strict=False):
        level = ("beginner", "casual")[number // len(VARIANTS) % 2]
        options: dict[str, Any] = {"target": 61} if number % 2 else {}
        options |= {} if number % 3 else {"counting": "claimed", "muggins": "missed"}
        records.append(played(variant, seed=number, level=level, **options))
        games.append({"lines": _lines(records[-1]), "seat": number % records[-1].rules.seats})
    file = tmp_path / "games.json"
    data = {"words": catalogue("en"), "games": games}
    file.write_bytes(to_json(data))
    done = subprocess.run(
        [node_path(), "--input-type=module", "--eval", TELL],
        env={"STATIC": STATIC.as_uri(), "GAMES": str(file)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    stories = json.loads(done.stdout)
    assert len(stories) == games_told
    for game, record, told in zip(games, records, stories, strict=True):
        decisions = [line["d"] for line in game["lines"] if line["t"] == "decision"]
        own = [one for one in decisions if one["seat"] == game["seat"]]
        [whole] = [line["d"] for line in game["lines"] if line["t"] == "whole"]
        screens = told["screens"]
        well = [one for one in screens if one["kind"] == "well"]
        others = [one["kind"] for one in screens if one["kind"] not in ("mistake", "well")]
        assert others == ["result", "drill"]
        assert 3 <= len(screens) <= 5
        _check_result(screens[0], told["shares"], record, whole["seats"], game["seat"])
        _check_accuracy(screens[0], own)
        _check_mistakes([one for one in screens if one["kind"] == "mistake"], own, record)
        assert all(one["lines"] for one in screens), "no screen is empty"
        assert [one["kind"] for one in screens].index("drill") == len(screens) - 1
        if well:
            _check_praise(well[0], own, record)
        else:
            assert _asked(own), "a game without a mistake is praised"
            assert not any(_is_good(one) for one in own)
        _check_end(screens[-1], own, record)


def _check_result(
    screen: dict[str, Any],
    shares: dict[str, int] | None,
    record: Record,
    seats: list[dict[str, Any]],
    seat: int,
) -> None:
    end, me = last_state(record), seats[seat]
    names = [record.names[who] for who in end.seating]
    assert screen["title"] == _scores(record, end.front)
    said = " ".join(screen["lines"])
    if me["result"] is None or me["adjusted_result"] is None:
        assert shares is None
        lost = re.search(r"lost ([\d.]+) points", said)
        assert (f"{me['loss_points']:.1f}" == lost[1]) if lost else me["loss_points"] < 0.05
        return
    adjusted = min(max(me["adjusted_result"], 0), 1)
    assert shares is not None
    assert shares["play"] + shares["cards"] == (50 if me["result"] else -50)
    assert abs(shares["play"] - (100 * adjusted - 50)) <= 0.5
    won, other = (names[seat], names[1 - seat]) if me["result"] else (names[1 - seat], names[seat])
    better = names[seat] if adjusted > 0.5 else names[1 - seat]
    if "equally well" in said:
        assert abs(adjusted - 0.5) < 0.02
    elif f"{won} played better and won." in said:
        assert better == won
    elif f"{won} won, mostly because of the cards." in said:
        assert better == won
        assert abs(me["result"] - me["adjusted_result"]) >= 3 * abs(me["adjusted_result"] - 0.5)
    else:
        assert better == other
        assert f"{other} played better" in said
    assert _balance(said, names[seat], names[1 - seat]) == shares


def _balance(said: str, name: str, other: str) -> dict[str, int]:
    """Return the percentage points that the sentences of the picture say; no sentence may be missing."""
    points = r"(\d+) points?"
    play = re.search(rf"Better choices than {other}’s gave {name} {points} of win chance\.", said)
    lost = re.search(rf"{other}’s better choices took {points} of {name}’s win chance\.", said)
    assert play or lost or f"{name} and {other} chose equally well." in said
    gained, taken = (re.search(rf"The cards {verb} {points}\.", said) for verb in ("gave", "took"))
    assert gained or taken or "The cards favoured nobody." in said
    found = {"play": (play, lost), "cards": (gained, taken)}
    return {what: int(up[1]) if up else -int(down[1]) if down else 0 for what, (up, down) in found.items()}


def _check_mistakes(screens: list[dict[str, Any]], own: list[dict[str, Any]], record: Record) -> None:
    marked = _asked(own)
    losses = sorted(
        (one["loss_points"] if one["loss_win"] is None else one["loss_win"] for one in marked), reverse=True
    )
    assert len(screens) == min(2, len(marked))
    assert all(loss >= 0.01 for loss in losses), "no story asks for less than one game of 100, or 0.3 points"
    for screen, loss in zip(screens, losses, strict=False):
        decision = screen["decision"]
        assert (decision["loss_points"] if decision["loss_win"] is None else decision["loss_win"]) == loss
        # Before the answer: where, and the question. No card, no cost, no word about a choice.
        prompt = "Your choice for the crib?" if decision["kind"] == "discard" else "Your card?"
        assert screen["lines"] == [_at(decision, record), prompt]
        assert re.fullmatch(
            r"Now you: (discard to your own crib|discard to the opponent’s crib|"
            r"card that starts a count|card on \d+)",
            screen["title"],
        )
        if decision["kind"] == "play":
            lead = "card on \\d+" if decision["count"] else "card that starts a count"
            assert re.search(f"{lead}$", screen["title"])
            assert str(decision["count"]) in screen["title"] or not decision["count"]
        options = {one["choice"]: one for one in decision["options"]}
        name = record.names[last_state(record).seating[decision["seat"]]]
        played = [decision["card"]] if decision["card"] else decision["chosen"].split()
        for choice, lines in screen["answers"].items():
            told = list(lines)
            if choice:
                first = told.pop(0)
                if choice == decision["best"]:
                    assert first == "✓ Best: nothing beats this choice."
                elif choice == decision["chosen"]:
                    assert first == "✗ The same choice as in the game."
                else:
                    losses_now = (_loss(decision, options[one]) for one in (choice, decision["chosen"]))
                    assert _is_verdict(first, *losses_now), (first, decision)
                    _check_comparison(told.pop(2), decision, options[choice])
            why = _reasons_of(decision, choice)[:2]
            assert told.pop(0) == why[0], "the reason comes before the figures"
            if choice and choice == decision["chosen"]:
                told[0] = f"In the game {name} chose {cards_text(played, 'en')}. {told[0]}"
            said = re.fullmatch(r"In the game (.+) chose (.+)\. The best was (.+): it (.+)\.", told[0])
            assert said
            assert said[1] == name
            assert said[2] in _signs(decision, decision["chosen"])
            assert decision["card"] is None or said[2] == cards_text([decision["card"]], "en")
            assert said[3] in _signs(decision, decision["best"])
            assert _is_cost(said[4], *_loss(decision, options[decision["chosen"]])), (told, decision)
            assert told[1:] == why[1:]
        for choice, hint in screen["nudges"].items():
            _check_nudge(hint, decision, options[choice], screen["title"])


def _reasons_of(decision: dict[str, Any], choice: str) -> list[str]:
    """Return the reasons against the reader's choice, or against the game's."""
    if choice in ("", decision["best"], decision["chosen"]):
        return list(decision["why"])
    tried = next(card for card in decision["hand"] if card[0] == choice) if decision["card"] else choice
    assert decision["why_of"][tried], "each other choice has its own reasons"
    return list(decision["why_of"][tried])


def _asked(own: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the mistakes that cost enough to be asked for."""
    return [
        one
        for one in own
        if one["mark"]
        and one["kind"] in ("discard", "play")
        and (one["loss_points"] >= 0.3 if one["loss_win"] is None else one["loss_win"] >= 0.01)
    ]


def _check_accuracy(screen: dict[str, Any], own: list[dict[str, Any]]) -> None:
    counted = [one for one in own if not one["obvious"]]
    right = sum(one["mark"] is None for one in counted)
    said = f"Of {len(counted)} choices that were not obvious, {right} were the best or practically the best."
    assert (screen["lines"][-1] == said) == bool(counted)


def _check_praise(screen: dict[str, Any], own: list[dict[str, Any]], record: Record) -> None:
    """Expect a choice of this game with its cards: the best one, or a discard whose hand counted most."""
    lines = list(screen["lines"])
    if not _asked(own):
        name = record.names[last_state(record).seating[own[0]["seat"]]]
        assert lines.pop(0) == (
            "This game had no costly mistake."
            if any(one["mark"] for one in own)
            else f"{name} made no mistake at all."
        )
    if screen["decision"] is None:
        assert lines.pop(0) == "No single choice stood out."
        assert not any(_is_good(one) for one in own)
    if screen.get("shown"):
        _check_counted_hand(screen, lines, own, record)
        return
    if screen["decision"] is None:
        assert lines == []
        assert not any(one["kind"] == "discard" and one["mark"] is None for one in own)
        return
    decision = screen["decision"]
    line, *why = lines
    _check_reply(decision, why, record)
    assert why == decision["why"][:1]
    assert why, "a good move has a reason"
    said_good = re.fullmatch(
        r"(.+?): (.+) (to the crib was the best choice|was the best card to play)\. "
        r"Compared with (.+), the next best, it (.+)\.",
        line,
    )
    assert said_good
    assert ("crib" in said_good[3]) == (decision["kind"] == "discard")
    assert said_good[1] == _at(decision, record)
    assert decision["chosen"] == decision["best"] == decision["options"][0]["choice"]
    assert not decision["obvious"]
    assert said_good[2] in _signs(decision, decision["best"])
    assert said_good[4] in _signs(decision, decision["options"][1]["choice"])
    assert _is_cost(said_good[5], *_loss(decision, decision["options"][1]))


def _check_counted_hand(
    screen: dict[str, Any], lines: list[str], own: list[dict[str, Any]], record: Record
) -> None:
    kept, starter = ([Card(card) for card in screen["shown"]["cards"]], Card(screen["shown"]["starter"]))
    assert kept == sorted(kept, key=lambda card: "A23456789TJQK".index(card.text[0]))
    if lines[0].startswith("The best hand"):
        words = cards_text([card.text for card in kept], "en"), cards_text([starter.text], "en")
        best = points(kept, starter)
        said_best = rf"The best hand was {words[0]}: with the starter {words[1]} it counted {best} points?\."
        assert re.fullmatch(said_best, lines[0])
        assert lines[1:] == []
        return
    said = re.fullmatch(
        r"(.+?): (.+) to the crib kept (.+)\. With the starter (\S+) this hand counted (\d+) points?\.",
        lines[0],
    )
    assert said
    assert lines[1:] == []
    [discard] = [one for one in own if one["kind"] == "discard" and _at(one, record) == said[1]]
    assert discard["mark"] is None
    assert said[2] in _signs(discard, discard["chosen"])
    assert {card.text for card in kept} == set(discard["hand"]) - set(discard["chosen"].split())
    assert said[3] == cards_text([card.text for card in kept], "en")
    assert said[4] == cards_text([starter.text], "en")
    assert int(said[5]) == points(kept, starter)


def _is_good(one: dict[str, Any]) -> bool:
    """Return whether a choice that was not obvious was clearly better than the next, with a reason."""
    if one["kind"] not in ("discard", "play") or one["obvious"] or one["chosen"] != one["best"]:
        return False
    loss = _loss(one, one["options"][1])
    return bool(one["why"]) and ((loss[1] >= 0.2) if one["loss_win"] is None else (loss[0] or 0) >= 0.01)


def _check_reply(decision: dict[str, Any], why: list[str], record: Record) -> None:
    """Expect no praise for what the next card disproved."""
    states = [start(record.rules, named=record.named), *[state for _, state, _ in replay(record)]]
    for step, action in enumerate(record.actions[decision["step"] + 1 :], decision["step"] + 1):
        if isinstance(action, Play):
            scored = pegging.scores((*states[step].in_count, action.card))
            if action.seat != decision["seat"] and scored:
                assert not re.search(r"opponent scores|opponent’s next card|No card scores", " ".join(why))
            return


def _check_end(screen: dict[str, Any], own: list[dict[str, Any]], record: Record) -> None:
    """Expect the next game, a set of problems like the costliest mistake, and the full review."""
    is_own = screen["drill"]["href"] == "/practice/errors"
    theme = "ladder" if is_own else screen["drill"]["href"].removeprefix("/practice/sets/")
    assert screen["href"] == "/"
    where = "Your own mistakes" if is_own else text(f"practice.theme.{theme}", "en")
    assert screen["drill"]["words"] == f"Practise: {where}"
    more = max(len(_asked(own)) - 2, 0)
    assert screen["drill"]["full"] == (
        f"{more} more costly choice{'s' * (more > 1)}: see the full review" if more else "Full review"
    )
    assert screen["title"] == "What to practise"
    marked = _asked(own)
    if not marked:
        assert (theme, is_own) == ("ladder", False)
        assert screen["lines"][0].startswith("The ladder has problems of all kinds")
        return
    worst = max(marked, key=lambda one: one["loss_points"] if one["loss_win"] is None else one["loss_win"])
    ends = "The problems below are of the same kind"
    if theme == "ladder":
        # Seat 0 belongs to a stranger.
        assert is_own == (worst["seat"] > 0 and worst["mark"] != "small")
        ends = (
            "You can solve it again under “Your own mistakes”"
            if is_own
            else "The ladder has such problems too"
        )
    what = re.fullmatch(
        rf"The costliest choice of this game: (.+)\. The best was (.+)\. {ends}\.", screen["lines"][0]
    )
    assert what
    assert what[2] in _signs(worst, worst["best"])
    assert ("discard" in what[1]) == (worst["kind"] == "discard")
    most = max(worst["score"])
    assert theme == (
        "counting-out"
        if most >= record.rules.target - 12
        else "last-street"
        if most > 90
        else _discard_theme(worst, "own crib" in what[1])
        if worst["kind"] == "discard"
        else "traps"
        if worst["count"]
        else "leads"
    )


def _discard_theme(worst: dict[str, Any], own_crib: bool) -> str:
    """Return the problems like a discard: no set is about one's own crib, unless pegging decides."""
    chosen = next(one for one in worst["options"] if one["choice"] == worst["chosen"])
    parts = _parts(worst, chosen, own_crib)
    if parts["play"] >= 0.05 and parts["play"] == max(parts.values()):
        return "keeping"
    return "ladder" if own_crib else "crib"
