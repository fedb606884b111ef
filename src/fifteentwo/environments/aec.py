"""Cribbage as a PettingZoo environment in which agents act one at a time (AEC), in all variants."""

import random
from typing import Any

import numpy as np

from fifteentwo.contest.same_decks import without_cuts
from fifteentwo.contest.table import Table
from fifteentwo.environments.encoding import action, action_count, mask, number, observe
from fifteentwo.environments.encoding import observation_size as size_of
from fifteentwo.environments.integer_game import IntegerGame
from fifteentwo.rules.actions import SeatAction
from fifteentwo.rules.cards import show_text
from fifteentwo.rules.decks import seeded
from fifteentwo.rules.errors import InvalidArgument, NotInstalled
from fifteentwo.rules.state import Phase
from fifteentwo.rules.variants import rules_for
from fifteentwo.rules.view import View, view

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise NotInstalled("env") from None

Seen = dict[str, Any]
"""Dictionary of `observation` and `action_mask`, from `encoding.observe` and `encoding.mask`."""


def env(variant: str = "six-card", **options: Any) -> Any:
    """Return the environment with PettingZoo's checks; an illegal action ends the game with reward -1.

    Args:
        variant: name of the variant.
        options: see `Cribbage`.
    """
    made: Any = wrappers.TerminateIllegalWrapper(Cribbage(variant, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class Cribbage(AECEnv[str, Seen, int]):  # type: ignore[misc, unused-ignore]
    """One game of cribbage; the agent on turn discards, plays a card, claims, accepts or calls muggins.

    Forced events are not actions: goes, last card, heels, automatic counting. The reward at the end is the
    number of games won (positive) or lost (negative): 1, or 2 or 4 by the rules of skunks.
    """

    metadata = {"name": "cribbage_v0", "render_modes": ["ansi", "human"], "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, variant: str = "six-card", *, cuts: bool = False, render_mode: str | None = None, **options: Any
    ) -> None:
        """Create the environment.

        Args:
            variant: name of the variant.
            cuts: whether agents draw for the deal and cut the deck. Otherwise chance names the dealer and
                nobody cuts, which does not change the probabilities of cards.
            render_mode: "ansi", "human" or None.
            options: options of the rules, as in `rules_for`.

        Raises:
            UnknownVariant, InvalidRules: a name or option is unknown or not allowed.
        """
        super().__init__()
        agreed = rules_for(variant, **options)
        self.rules = agreed if cuts else without_cuts(agreed)
        self.cuts = cuts
        self.render_mode = render_mode
        self.possible_agents = [f"player_{number}" for number in range(self.rules.seats)]
        self.agents: list[str] = []
        actions = action_count(self.rules, cuts=cuts)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                observation=spaces.Box(0, 255, (size_of(self.rules),), np.uint8),
                action_mask=spaces.Box(0, 1, (actions,), np.int8),
            )
            for agent in self.possible_agents
        }
        self._chance = random.Random()

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of action numbers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Start a game. A seed decides this game and all later games without a seed."""
        if seed is not None:
            self._chance.seed(seed)
        decks = seeded(self._chance.getrandbits(64))
        self._table = Table(self.rules, decks)
        self._views: dict[str, View] = {}
        self._integers: IntegerGame | None = None
        # Actions of `_integers`: the table does them when a View is needed.
        self._behind: list[tuple[int, int]] = []
        if self._table.state.phase is Phase.NAME_DEALER:
            dealer = self._chance.randrange(self.rules.seats)
            self._table.adopt(self._table.name_dealer(dealer))
            if not self.cuts and not self.rules.claimed:
                self._integers = IntegerGame(self.rules, decks, dealer)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self.agent_selection = self._on_turn()

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees now, even out of turn."""
        if self._integers is not None:
            seat = self._seat(agent)
            return {"observation": self._integers.observe(seat), "action_mask": self._integers.mask(seat)}
        seen = self.view(agent)
        return {"observation": observe(seen), "action_mask": mask(seen, cuts=self.cuts)}

    def view(self, agent: str) -> View:
        """Return the View of an agent, as players get it."""
        if self._integers is not None:
            # Who asks for one View asks for more, so the table continues the game.
            for seat, chosen in self._behind:
                self._table.submit(seat, action(view(self._table.state, seat), chosen))
            self._integers = None
        # `last`, `step` and `number` ask for the same View.
        if agent not in self._views:
            self._views[agent] = view(self._table.state, self._seat(agent))
        return self._views[agent]

    def number(self, agent: str, done: SeatAction) -> int:
        """Return the number of an action for an agent's View."""
        return number(self.view(agent), done)

    def step(self, action_number: int | None) -> None:
        """Do the action with this number for the agent on turn; raise IllegalAction if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action_number)
            return
        seat, chosen = self._seat(agent), -1 if action_number is None else int(action_number)
        if self._integers is None:
            self._table.submit(seat, action(self.view(agent), chosen))
        else:
            self._integers.act(seat, chosen)
            self._behind.append((seat, chosen))
        self._views.clear()
        won = (self._integers or self._table.state).won
        if won is None:
            # All rewards stay 0 until the game is won.
            self.agent_selection = self._on_turn()
            return
        for other in self.agents:
            side = self.rules.side(self._seat(other))
            self.rewards[other] = float(max(won.lost) if side == won.side else -won.lost[side])
            self.terminations[other] = True
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """Return the table as the agent on turn sees it, as one line; in mode "human" print it."""
        seen = self.view(self.agent_selection)
        scores = " ".join(
            f"{agent}{'*' if self._seat(agent) == seen.dealer else ''}="
            f"{seen.front[self.rules.side(self._seat(agent))]}"
            for agent in self.possible_agents
        )
        starter = "" if seen.starter is None else seen.starter.text
        line = (
            f"{scores} {seen.phase.value} starter[{starter}] count={seen.count}[{show_text(seen.in_count)}] "
            f"{self.agent_selection}[{show_text(sorted(seen.hand))}]"
        )
        if self.render_mode == "human":
            print(line)
            return None
        return line

    def close(self) -> None:
        """Do nothing; there is nothing to close."""

    def _on_turn(self) -> str:
        """Return the agent that acts now; if several may act, the first by seat."""
        waiting = (self._integers or self._table).waiting
        return self.possible_agents[self._table.state.seating[waiting[0]]]

    def _seat(self, agent: str) -> int:
        """Return the seat of an agent, which the draw for partners may have moved (R29)."""
        if agent not in self.possible_agents:
            raise InvalidArgument("not-an-agent", "agent", agent)
        return self._table.state.seating.index(self.possible_agents.index(agent))
