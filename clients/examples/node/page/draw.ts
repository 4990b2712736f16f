import { dropTargets, type LookUp, slotText } from "../src/frontend.js";
import { present } from "../src/game.js";
import {
  type GameState,
  type LegalMove,
  type PlayerState,
  type ScoreResponse,
  Slot,
} from "../src/gen/finspan_pb.js";
import { namesOf, scoreRows, winnerLine } from "../src/score.js";

/** What of a game is drawn beside its state, and what becomes of clicks. */
export interface Scene {
  readonly look: LookUp;
  readonly legalMoves: readonly LegalMove[];
  /** Why hand cards cannot be played. */
  readonly reasons: ReadonlyMap<number, string>;
  /** The seat whose cards can be clicked. */
  readonly seat: number | undefined;
  /** The hand card that was clicked. */
  readonly held: number | undefined;
  readonly take: (card: number) => void;
  readonly drop: (slot: Slot) => void;
}

/** Return the page's element of this id. */
export function byId(id: string): HTMLElement {
  return present(document.getElementById(id) ?? undefined, `element #${id}`);
}

/** Return a new element; text in it stays text, whoever wrote it. */
export function element(tag: string, ...children: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag);
  made.append(...children);
  return made;
}

function button(text: string, clicked: (() => void) | undefined): HTMLButtonElement {
  const made = document.createElement("button");
  made.textContent = text;
  made.disabled = clicked === undefined;
  made.onclick = clicked ?? null;
  return made;
}

/** Draw every player's ocean and hand. */
export function drawPlayers(state: GameState, scene: Scene): void {
  const sides = state.players.map((player, seat) => {
    const mine = seat === scene.seat;
    return element(
      "article",
      element("h2", `${player.displayName}, ${player.diversLeft} divers`),
      ocean(player, scene, mine),
      element("p", player.reefs.length > 0 ? `Coral: ${player.reefs.join(", ")}` : ""),
      element("p", ...player.hand.map((card) => handCard(card, scene, mine))),
    );
  });
  byId("players").replaceChildren(...sides);
}

function ocean(player: PlayerState, { look, legalMoves, held, drop }: Scene, mine: boolean): HTMLElement {
  const here = new Map(player.ocean.map((each) => [each.slot, each]));
  const lit = (mine && held && dropTargets(legalMoves).get(held)) || [];
  const places = look.slots.map(({ slot, name, site, row }) => {
    const lies = here.get(slot);
    const place = button(`${name} ${lies ? slotText(lies, look) : ""}`, mine ? () => drop(slot) : undefined);
    place.style.gridArea = `${row} / ${site}`;
    place.dataset.slot = Slot[slot];
    place.classList.toggle("lit", lit.includes(slot));
    return place;
  });
  const grid = element("div", ...places);
  grid.className = "ocean";
  return grid;
}

function handCard(id: number, { look, reasons, held, take }: Scene, mine: boolean): HTMLElement {
  const card = button(look.fishNames.get(id) ?? "", mine ? () => take(id) : undefined);
  const reason = mine ? reasons.get(id) : undefined;
  card.dataset.card = String(id);
  card.title = reason ?? look.cards.get(id)?.ability?.text ?? "";
  card.classList.toggle("grey", reason !== undefined);
  card.classList.toggle("held", mine && id === held);
  return card;
}

/** Draw the open question, and a button for each answer. */
export function drawQuestion(
  question: string,
  legalMoves: readonly LegalMove[],
  pick: (move: LegalMove) => void,
): void {
  byId("question").textContent = question;
  const answers = legalMoves.map((legal) => {
    const answer = button(legal.text, () => pick(legal));
    answer.dataset.move = legal.id;
    return element("li", answer);
  });
  byId("moves").replaceChildren(...answers);
}

/** Draw the score sheet of a state, and who won. */
export function drawScore(score: ScoreResponse, state: GameState): void {
  const row = (tag: string, cells: readonly (string | number)[]) =>
    element("tr", ...cells.map((cell) => element(tag, String(cell))));
  byId("score").replaceChildren(
    element("caption", winnerLine(score, state)),
    row("th", ["", ...namesOf(state)]),
    ...scoreRows(score, state).map(([name, points]) => row("td", [name, ...points])),
  );
}
