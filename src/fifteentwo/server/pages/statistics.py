"""Statistics of a user's finished games next to best play; rating and luck over reviewed games."""

import asyncio
import math
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from fifteentwo import i18n
from fifteentwo.contest import statistics
from fifteentwo.contest.statistics import Mean, SeatDeal
from fifteentwo.engines.programs import PROGRAM
from fifteentwo.players import LEVELS
from fifteentwo.rules.variants import Variant
from fifteentwo.server.background import start_task
from fifteentwo.server.http import sessions
from fifteentwo.server.http.rate_limits import STUDY_REQUEST
from fifteentwo.server.live.tables import Tables
from fifteentwo.server.pages.history import IMPORTED, date, opponents, seat_names
from fifteentwo.server.pages.site import PERSON, Pages, post
from fifteentwo.server.services import services_of
from fifteentwo.server.store.history import PlayedGame, SeatReview
from fifteentwo.server.study import charts
from fifteentwo.strategy.files import tables

OPPONENTS = (*LEVELS, PROGRAM, PERSON)
KINDS = ("here", IMPORTED, "all")
"""Choices of the form: games played here, imported games, all games."""
MAX_REVIEWED_GAMES = 200
"""Greatest number of games, the last ones, that count for rating and luck."""
RATING_WINDOW = 20
"""Number of games in a rating."""
MIN_RATED_GAMES = 5
"""Smallest number of reviewed games with a rating: that of one game says nothing about the player."""
MAX_GREAT_HANDS = 8
LUCK_DECIMALS = 2


class MeanMeasure(NamedTuple):
    """One mean of the statistics: its name, the role it is for, and which points of a deal it averages."""

    name: str
    dealer: bool
    """Whether the mean is of deals in which the player is the dealer."""
    points: Callable[[SeatDeal], int]
    counts: Callable[[SeatDeal], bool] = lambda _: True
    """Function that returns whether a deal is included in the mean."""


MEAN_MEASURES = (
    MeanMeasure("pone_hand", False, lambda deal: deal.hand),
    MeanMeasure("dealer_hand", True, lambda deal: deal.hand),
    MeanMeasure("crib", True, lambda deal: deal.crib),
    MeanMeasure("pone_pegs", False, lambda deal: deal.pegged, lambda deal: deal.whole),
    MeanMeasure("dealer_pegs", True, lambda deal: deal.pegged, lambda deal: deal.whole),
)


def routes(pages: Pages) -> list[Route]:
    one_at_a_time = asyncio.Lock()
    working: dict[str, asyncio.Task[int]] = {}

    async def page(request: Request) -> Response:
        owner, lang = sessions.owner_of(request), pages.language(request)
        games = await services_of(request).tables.history.all_games_of(owner)
        asked = dict(request.query_params)
        values = await pages.compute(request, STUDY_REQUEST, _page_values, games, asked, lang)
        words = {key: i18n.text(key, lang) for key in ("statistics.review.left", "statistics.review.failed")}
        return pages.page(request, "statistics.html", words=words, **values)

    async def review_next(request: Request) -> Response:
        """Review the user's newest unreviewed game, one at a time; return how many are left."""
        owner = sessions.owner_of(request)
        left = 0
        if owner is not None:
            # A second request waits for the same game, so that other users get their turn.
            task = working.get(owner)
            if task is None:
                task = start_task(_review_next_game(services_of(request).tables, owner, one_at_a_time))
                working[owner] = task
                task.add_done_callback(lambda _: working.pop(owner))
            left = await asyncio.shield(task)
        if "text/html" in request.headers.get("accept", ""):
            return RedirectResponse("/statistics#over-time", status_code=303)
        return JSONResponse({"left": left})

    return [Route("/statistics", page, methods=["GET"]), post("/statistics/review", review_next)]


async def _review_next_game(tables: Tables, owner: str, one_at_a_time: asyncio.Lock) -> int:
    waiting = _unreviewed(await tables.history.all_games_of(owner))
    if not waiting:
        return 0
    one = waiting[0]
    async with one_at_a_time:
        await tables.review_game(one)
    return len(waiting) - 1


def _rated_games(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    own = (one for one in games if one.seat is not None and not one.summary.from_position)
    return [one for one in own if one.summary.variant == Variant.SIX_CARD][:MAX_REVIEWED_GAMES]


def _unreviewed(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    return [one for one in _rated_games(games) if not one.review]


def _reviewed(games: Iterable[PlayedGame]) -> list[tuple[PlayedGame, SeatReview]]:
    own = [(one, one.seat) for one in _rated_games(games) if one.review and one.seat is not None]
    return [(one, one.review[seat]) for one, seat in own if one.review[seat].luck is not None]


def _page_values(games: list[PlayedGame], asked: dict[str, str], lang: str) -> dict[str, Any]:
    played = [one for one in games if one.seat is not None and not one.summary.from_position]
    variants = sorted({one.summary.variant for one in played}, key=[one.value for one in Variant].index)
    variant = asked.get("variant", "")
    if variant not in variants:
        # The first variant with games, or six-card if there are none.
        variant = variants[0] if variants else Variant.SIX_CARD.value
    of_variant = [one for one in played if one.summary.variant == variant]
    kind = asked.get("kind", "here")
    kind = kind if kind in KINDS else "here"
    of_kind = [one for one in of_variant if kind == "all" or bool(one.summary.imported) is (kind == IMPORTED)]
    against = [level for level in OPPONENTS if any(level in opponents(one) for one in of_kind)]
    level = asked.get("against", "")
    chosen = [one for one in of_kind if level in opponents(one)] if level in against else of_kind
    return {
        "variants": variants,
        "variant": variant,
        "kinds": [one for one in KINDS if any(game.summary.imported for game in of_variant)],
        "kind": kind,
        "against": against,
        "level": level if level in against else "",
        "games": len(chosen),
        "results": _result_figures(chosen),
        "rows": _comparison_rows(chosen) if variant == Variant.SIX_CARD else [],
        "means": _mean_rows(chosen),
        "deals": sum(deal.seat == one.seat for one in chosen for deal in one.summary.count.deals),
        "best_deals": best_play()["deals"],
        "levels": _results_by_level(of_kind),
        "great": _best_hands(chosen, lang),
        "charts": charts,
        **figures_over_time(chosen, lang),
    }


@cache
def best_play() -> dict[str, float]:
    """Return the figures of deals under the shipped equilibrium, from the file of board values."""
    summary: dict[str, float] = tables("board_values.table").about["summary"]
    return summary


def _wins_with_interval(games: list[PlayedGame]) -> dict[str, Any]:
    won = sum(one.is_won for one in games)
    low, high = statistics.share_interval(won, len(games))
    return {"won": won, "rate": won / len(games) if games else 0.0, "low": low, "high": high}


def _result_figures(games: list[PlayedGame]) -> dict[str, Any]:
    own_lost = [one.summary.games_lost[one.side] for one in games if one.side is not None]
    given = [max(one.summary.games_lost) for one in games if one.is_won]
    return _wins_with_interval(games) | {
        "streaks": statistics.streaks([one.is_won for one in games][::-1]),
        "skunks_given": sum(lost > 1 for lost in given),
        "skunks_taken": sum(lost > 1 for lost in own_lost),
        "closest": min((abs(one.summary.scores[0] - one.summary.scores[1]) for one in games), default=None),
    }


def _deal_points(games: Iterable[PlayedGame], measure: MeanMeasure, *, own: bool) -> list[int]:
    """Return the points of each deal that the measure counts, of the person's side or of the others'."""
    return [
        measure.points(deal)
        for one in games
        for deal in one.summary.count.deals
        if (deal.seat % one.summary.sides == one.side) is own
        and deal.dealer is measure.dealer
        and measure.counts(deal)
    ]


def _mean_rows(games: list[PlayedGame]) -> list[dict[str, Any]]:
    return [
        {
            "name": measure.name,
            "own": statistics.mean(_deal_points(games, measure, own=True)),
            "others": statistics.mean(_deal_points(games, measure, own=False)),
        }
        for measure in MEAN_MEASURES
    ]


def _comparison_rows(games: list[PlayedGame]) -> list[dict[str, Any]]:
    rows = [row | {"best": best_play()[row["name"]]} for row in _mean_rows(games)]
    widths = [
        abs(one.mean - row["best"]) + one.margin
        for row in rows
        for one in (row["own"], row["others"])
        if one is not None and one.margin is not None
    ]
    for row in rows:
        for name in ("own", "others"):
            row[f"{name}_at"] = charts.whisker_on_row(row[name], row["best"], max([1.0, *widths]))
        row["says"] = _compare_with_best(row["own"], row["best"])
    return rows


def _compare_with_best(mean: Mean | None, best: float) -> str:
    if mean is None or mean.margin is None:
        return "few"
    if abs(mean.mean - best) <= mean.margin:
        return "chance"
    return "above" if mean.mean > best else "below"


def _results_by_level(games: list[PlayedGame]) -> list[dict[str, Any]]:
    levels = [(level, [one for one in games if level in opponents(one)]) for level in (*OPPONENTS, IMPORTED)]
    return [
        {"level": level, "games": len(of_level), **_wins_with_interval(of_level)}
        for level, of_level in levels
        if of_level
    ]


def _best_hands(games: list[PlayedGame], lang: str) -> list[dict[str, Any]]:
    hands = [(hand, one) for one in games for hand in one.summary.count.great if hand.seat == one.seat]
    hands.sort(key=lambda pair: -pair[0].points)
    return [
        {
            "hand": hand,
            "said": i18n.card_names((*hand.cards, hand.starter), lang),
            "date": date(one.summary.ended_at, lang),
            "address": f"/game/{one.match_id}/log?game={one.game_number}#deal-{hand.deal}",
        }
        for hand, one in hands[:MAX_GREAT_HANDS]
    ]


def figures_over_time(games: list[PlayedGame], lang: str) -> dict[str, Any]:
    """Return rating and luck over the reviewed games, and the number of unreviewed games."""
    found = _reviewed(games)[::-1]
    reviews = [review for _, review in found]
    lucks = [review.luck or 0.0 for review in reviews]
    # The sum of the printed figures.
    summed = list(accumulate(round(luck, LUCK_DECIMALS) for luck in lucks))
    ratings = [_window_rating(reviews[:end]) for end in range(1, len(reviews) + 1)]
    known = [rating for rating in ratings if rating is not None]
    adjusted = [one.luck_adjusted_result for one in reviews if one.luck_adjusted_result is not None]
    return {
        "unreviewed": len(_unreviewed(games)),
        "reviewed": len(reviews),
        "luck_chart": charts.line_chart(summed, signed=True),
        "rating_chart": charts.line_chart(known, signed=False),
        "rating": ratings[-1] if ratings else None,
        "foretold": predict_wins(reviews[-RATING_WINDOW:]) if known else [],
        "luck": summed[-1] if summed else None,
        "fair": _mean_result([one.is_won - luck for (one, _), luck in zip(found, lucks, strict=True)]),
        "even": _mean_result(adjusted),
        "rated_won": sum(one.is_won for one, _ in found),
        "over": [
            {
                "date": date(one.summary.ended_at, lang),
                "names": [name for seat, name in enumerate(seat_names(one, lang)) if seat != one.seat],
                "won": one.is_won,
                "luck": luck,
                "summed": after,
                "rating": rating,
                "address": f"/review/{one.match_id}?game={one.game_number}",
            }
            for (one, _), luck, after, rating in zip(found, lucks, summed, ratings, strict=True)
        ][::-1],
        "at_a_time": RATING_WINDOW,
        "most_reviewed": MAX_REVIEWED_GAMES,
    }


def _mean_result(results: Sequence[float]) -> tuple[float, float] | None:
    mean = statistics.mean([round(10_000 * result) for result in results])
    return None if mean is None else (mean.mean / 10_000, (mean.margin or 0) / 10_000)


def rating_by_review(games: list[PlayedGame]) -> float | None:
    """Return the rating over the last reviewed games, or None if there are too few."""
    return _window_rating([review for _, review in _reviewed(games)[::-1]])


def has_full_window(games: list[PlayedGame]) -> bool:
    """Return whether enough games are reviewed, so that earlier ones do not change the rating."""
    return len(_reviewed(games)) >= RATING_WINDOW


def _window_rating(reviews: Sequence[SeatReview]) -> float | None:
    """Return the rating over the last reviews, which come last, or None if there are too few."""
    return _mean_rating(reviews[-RATING_WINDOW:]) if len(reviews) >= MIN_RATED_GAMES else None


def _mean_rating(reviews: Sequence[SeatReview]) -> float | None:
    rated = [(one.rating, one.counted) for one in reviews if one.rating is not None and one.counted]
    decisions = sum(counted for _, counted in rated)
    return sum(rating * counted for rating, counted in rated) / decisions if decisions else None


class Prediction(NamedTuple):
    """Predicted share of wins against a level, and its values at both ends of the rating's interval."""

    level: str
    share: float
    """Predicted share of games won against the level."""
    low: float
    """Predicted share at the lower end of the interval."""
    high: float


STANDARD_ERRORS = 1.96
"""Half the width of a 95 % interval, in standard errors."""


def predict_wins(reviews: Sequence[SeatReview]) -> list[Prediction]:
    """Return a prediction for each of our levels, the weakest first; none without a rating."""
    rating, error = _mean_rating(reviews), _rating_error(reviews)
    if rating is None or error is None:
        return []
    # Imported here because it loads NumPy: 0.4 s at the start of a new installation.
    from fifteentwo.analysis.review.rating import LEVEL_BANDS, WEAKNESSES, predicted

    ratings = (rating, rating + STANDARD_ERRORS * error, max(0.0, rating - STANDARD_ERRORS * error))
    return [
        Prediction(level, *[predicted(one, of_level) for one in ratings])
        for (level, _), (of_level, _) in zip(reversed(LEVEL_BANDS), reversed(WEAKNESSES), strict=True)
    ]


def _rating_error(reviews: Sequence[SeatReview]) -> float | None:
    known = [(one.rating_error, one.counted) for one in reviews if one.rating_error and one.counted]
    decisions = sum(counted for _, counted in known)
    return math.hypot(*[error * counted for error, counted in known]) / decisions if decisions else None
