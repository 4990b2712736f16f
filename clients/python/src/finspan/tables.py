"""The table as text: oceans, hands, decisions and score sheets, drawn by rich.

Everything takes messages of the contract, and a `Catalog` for what they name. It is made for 100 columns,
fits 80, and says nothing by colour alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from rich.box import ROUNDED
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from finspan.catalog import Catalog
from finspan.matches import Standing
from finspan.moves import LegalMoves
from finspan.v1 import finspan_pb2 as v1

SITE_STYLES: Final = {v1.SITE_BLUE: "blue", v1.SITE_PURPLE: "magenta", v1.SITE_GREEN: "green"}
LEAST_WIDTH: Final = 80
"""How many columns the widest tables need."""
NARROW: Final = 19
WIDE: Final = 25
"""How wide a slot is: at least so that an ocean fits 80 columns, at most so that it fits 100."""

CATEGORIES: Final = (
    ("Achievements", "achievements"),
    ("Game-end abilities", "game_end"),
    ("Printed points", "printed"),
    ("Consumed fish", "consumed"),
    ("Eggs", "eggs"),
    ("Young", "young"),
    ("Schools", "schools"),
)
"""The lines of a score sheet that make up the total (R9.2), each with its field."""
REEF_CATEGORIES: Final = (("Coral", "coral"), ("Full reefs", "full_reefs"))
"""Those that a game with reefs has besides (R11)."""
STANDING: Final = (("Cards in hand", "cards_in_hand"), ("Rank", "rank"))
"""The lines below the total (R9.3)."""
REEF_SIZE: Final = 6
"""How many coral fill a reef (R11.1)."""
SLOTS_IN_LINE: Final = 6
"""How many slots of a card stand in a line of choices at most."""
SLOT_WIDTH: Final = 7
"""How wide each is: a number of up to three digits, the name, and a star or none."""


def ocean_table(player: v1.PlayerState, catalog: Catalog, title: str = "") -> Table:
    """Return a player's ocean: a line per row, a column per dive site; below it the reefs, if any."""
    table = _table(title)
    table.add_column("Row")
    for site in sorted({slot.site for slot in catalog.reply.slots}):
        word = word_of(v1.Site.Name(site)).capitalize()
        heading = f"{word} ({word[0]})"
        table.add_column(heading, style=SITE_STYLES[site], min_width=NARROW, max_width=WIDE)
    contents = {slot.slot: slot for slot in player.ocean}
    for row, places in _rows(catalog):
        here = [slot_text(contents.get(place.slot, v1.SlotState()), catalog) for place in places]
        table.add_row(f"{row} {word_of(v1.Zone.Name(places[0].zone))}", *here, end_section=True)
    if player.reefs:
        table.add_row("Reef", *map(reef_text, player.reefs))
    return table


def slot_text(slot: v1.SlotState, catalog: Catalog) -> Text:
    """Return what lies on a slot: the fish with its length and points, what it has consumed, the tokens."""
    lines = [Text(", ".join(_tokens(slot)))] if _tokens(slot) else []
    if slot.HasField("fish"):
        fish = catalog.fish[slot.fish]
        facts = [f"{fish.length_cm} cm", f"{fish.points} pt", *_consumed(slot)]
        lines = [Text(fish.name, "bold"), Text(", ".join(facts)), *lines]
    return Text("\n").join(lines) if lines else Text("-", "dim")


def reef_text(coral: int) -> Text:
    """Return what lies in a reef (R11.1)."""
    if not coral:
        return Text("-", "dim")
    return Text(f"{coral} coral, full" if coral == REEF_SIZE else f"{coral} coral")


def hand_table(cards: Iterable[int], catalog: Catalog, title: str = "") -> Table:
    """Return cards by id with all that matters for playing them."""
    table = _table(title, "Id", "Fish and tags", "Cost and place", "cm", "Points", "Ability")
    for card in (catalog.fish[id_] for id_ in cards):
        fish = Text("\n").join([Text(card.name, "bold"), Text(tags_text(card))])
        place = f"{cost_text(card.cost)}\n{where_text(card)}"
        ability = Text(card.ability.text)
        table.add_row(str(card.id), fish, place, str(card.length_cm), str(card.points), ability)
    return table


def tags_text(card: v1.CardInfo) -> str:
    """Return a card's tags; a doubled one stands twice (R1.3)."""
    return ", ".join(word_of(v1.Tag.Name(tag)) for tag in card.tags)


def cost_text(cost: v1.CostInfo) -> str:
    """Return a cost in words, "free" if there is none (R5.1, R5.2)."""
    units = [_count(cost.cards, "card"), _count(cost.eggs, "egg"), _count(cost.young, "young", "young")]
    units += [_count(cost.schools, "school"), "consume" if cost.consume else ""]
    return ", ".join(filter(None, units)) or "free"


def where_text(card: v1.CardInfo) -> str:
    """Return where a card may be played: its zones, its dive site, its row and its coral (R5.3, R11.4)."""
    zones = [word_of(v1.Zone.Name(zone)) for zone in card.zones]
    site = [word_of(v1.Site.Name(card.site))] if card.site else []
    row = [f"row {card.row}"] if card.HasField("row") else []
    return ", ".join(zones + site + row + coral_text(card.needs_coral))


def coral_text(need: v1.CoralNeedInfo) -> list[str]:
    """Return what coral a card needs, in a list that is empty if it needs none (R11.4)."""
    colour = f"{word_of(v1.Site.Name(need.site))} " if need.site else ""
    return [f"needs {need.at_least} {colour}coral"] if need.at_least else []


def word_of(name: str) -> str:
    """Return what an enum's name of a value says: `SITE_BLUE` is "blue"."""
    return name.partition("_")[2].lower()


def decision_table(decision: v1.Decision, legal_moves: Sequence[v1.LegalMove]) -> Group:
    """Return the open question, and the moves that answer it, numbered from 1."""
    moves = Table.grid(padding=(0, 2))
    moves.add_column(justify="right")
    for number, legal in enumerate(legal_moves, start=1):
        moves.add_row(str(number), Text(legal.text), Text(legal.id, "dim"))
    return Group(Text(decision.text, "bold"), moves)


def choices_table(legal_moves: LegalMoves, player: v1.PlayerState, catalog: Catalog) -> Group:
    """Return the moves numbered from 1 in a small space: a line for each card, with the slots it may go to.

    Args:
        legal_moves: The moves.
        player: The side of the table of the one who decides.
        catalog: The catalogue.

    """
    numbered = list(enumerate(legal_moves, start=1))
    plays = [(number, legal.move.play_fish) for number, legal in numbered if legal.move.HasField("play_fish")]
    others = [
        Text(f"{number:>3} {legal.text}")
        for number, legal in numbered
        if not legal.move.HasField("play_fish")
    ]
    grid = [_plays_grid(plays, player, catalog)] if plays else []
    return Group(*grid, Columns(others, column_first=True, padding=(0, 3)))


class _Slots:
    """Numbered slots, as many in a line as there is room for; none is ever broken.

    Args:
        slots: Each one's number, its name, and whether it is covered.

    """

    def __init__(self, slots: Iterable[tuple[int, str, bool]]) -> None:
        self._words = [
            f"{number:>3} {name}{'*' if is_covered else ' '}" for number, name, is_covered in slots
        ]

    def __rich_measure__(self, _console: Console, options: ConsoleOptions) -> Measurement:
        in_line = min(len(self._words), SLOTS_IN_LINE)
        return Measurement(SLOT_WIDTH, _line_width(in_line)).with_maximum(options.max_width)

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        in_line = max(n for n in range(1, SLOTS_IN_LINE + 1) if n == 1 or _line_width(n) <= options.max_width)
        for at in range(0, len(self._words), in_line):
            yield Text(" ".join(self._words[at : at + in_line]), no_wrap=True, overflow="ignore")


def _line_width(slots: int) -> int:
    """Return how wide so many numbered slots are, with blanks between them."""
    return slots * (SLOT_WIDTH + 1) - 1


def _plays_grid(plays: Sequence[tuple[int, v1.PlayFish]], player: v1.PlayerState, catalog: Catalog) -> Table:
    """Return a line for each card: what it costs, and its slots, with a star where it covers a fish."""
    covered = {slot.slot for slot in player.ocean if slot.HasField("fish")}
    grid = Table.grid(padding=(0, 2))
    for card, group in groupby(plays, key=lambda play: play[1].card):
        fish = catalog.fish[card]
        slots = [(number, catalog.slots[play.slot].name, play.slot in covered) for number, play in group]
        grid.add_row(Text(f"{fish.name} ({card})", "bold"), cost_text(fish.cost), _Slots(slots))
    if any(play.slot in covered for _, play in plays):
        grid.add_row("", "", Text("* onto a fish", "dim"))
    return grid


def results_table(standings: Mapping[str, Standing], title: str = "") -> Table:
    """Return how bots have done: wins, then mean points by category, a column for each."""
    table = _table(title, "", *standings)
    _align_right(table)
    bots = standings.values()
    table.add_row("Wins", *(str(bot.wins) for bot in bots))
    table.add_row("Shared wins", *(str(bot.shared_wins) for bot in bots))
    table.add_section()
    have_reefs = any(field in score for bot in bots for score in bot.scores for _, field in REEF_CATEGORIES)
    for heading, field in _categories(have_reefs=have_reefs):
        table.add_row(heading, *(f"{bot.mean(field):.1f}" for bot in bots))
    table.add_section()
    table.add_row("Total", *(f"{bot.mean('total'):.1f}" for bot in bots), style="bold")
    table.add_row("Standard error", *(f"{bot.standard_error:.1f}" for bot in bots))
    return table


def score_table(
    score: v1.ScoreResponse, names: Sequence[str], title: str = "", *, has_reefs: bool = False
) -> Table:
    """Return the score sheet: a line per category, a column per player; below it who has won.

    Args:
        score: The score.
        names: What the players are called, by seat.
        title: What stands above it.
        has_reefs: Whether there are lines for reefs even as long as nobody has a coral.

    """
    table = _table(title, "", *names)
    _align_right(table)
    has_coral = any(player.coral for player in score.players)
    _add_lines(table, score, _categories(have_reefs=has_reefs or has_coral))
    table.add_section()
    _add_lines(table, score, [("Total", "total")], style="bold")
    table.add_section()
    _add_lines(table, score, STANDING)
    table.caption = Text(winners_text(score, names), "bold") if score.over else None
    return table


def kind_text(kind: v1.MoveKind.ValueType) -> str:
    """Return what a kind of move is called: `MOVE_KIND_LAY_EGG` is "lay egg"."""
    return v1.MoveKind.Name(kind).removeprefix("MOVE_KIND_").replace("_", " ").lower()


def winners_text(score: v1.ScoreResponse, names: Sequence[str]) -> str:
    """Return who has won; several share the win (R9.3)."""
    winners = [names[seat] for seat in score.winners]
    return f"{'Winner' if len(winners) == 1 else 'Winners'}: {', '.join(winners)}"


def player_names(players: Sequence[v1.PlayerState]) -> list[str]:
    """Return what to call each player: the display name, or a number from 1."""
    return [player.display_name or f"Player {number}" for number, player in enumerate(players, start=1)]


def _table(title: str, *headings: str) -> Table:
    """Return an empty table. Names are texts, never strings, in which rich would see markup."""
    table = Table(
        title=Text(title, "bold") if title else None,
        box=ROUNDED,
        title_justify="left",
        caption_justify="left",
    )
    for heading in headings:
        table.add_column(Text(heading))
    return table


def _categories(*, have_reefs: bool) -> tuple[tuple[str, str], ...]:
    return CATEGORIES + REEF_CATEGORIES if have_reefs else CATEGORIES


def _align_right(table: Table) -> None:
    """Align the numbers, which stand in all columns but the first."""
    for column in table.columns[1:]:
        column.justify = "right"


def _rows(catalog: Catalog) -> Iterator[tuple[int, list[v1.SlotInfo]]]:
    """Yield each row's number and its slots, site by site."""
    places = sorted(catalog.reply.slots, key=lambda place: (place.row, place.site))
    return ((row, list(slots)) for row, slots in groupby(places, key=lambda place: place.row))


def _add_lines(
    table: Table, score: v1.ScoreResponse, lines: Iterable[tuple[str, str]], style: str | None = None
) -> None:
    for heading, field in lines:
        table.add_row(heading, *(str(getattr(player, field)) for player in score.players), style=style)


def _tokens(slot: v1.SlotState) -> list[str]:
    tokens = [
        "egg" if slot.egg else "",
        f"{slot.young} young" if slot.young else "",
        "school" if slot.school else "",
    ]
    return list(filter(None, tokens))


def _consumed(slot: v1.SlotState) -> list[str]:
    return [f"consumed {len(slot.consumed)}"] if slot.consumed else []


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}" if number else ""
