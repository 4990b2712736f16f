import type { GameState, PlayerScore, ScoreResponse } from "./gen/finspan_pb.js";

/** The lines of the score sheet, and what of a score each shows. */
const CATEGORIES: readonly (readonly [string, (score: PlayerScore) => number])[] = [
  ["achievements", (score) => score.achievements],
  ["game end", (score) => score.gameEnd],
  ["printed", (score) => score.printed],
  ["consumed", (score) => score.consumed],
  ["eggs", (score) => score.eggs],
  ["young", (score) => score.young],
  ["schools", (score) => score.schools],
];
/** Those of a game with reefs. */
const REEF_CATEGORIES: typeof CATEGORIES = [
  ["coral", (score) => score.coral],
  ["full reefs", (score) => score.fullReefs],
];
const TOTAL: typeof CATEGORIES = [["total", (score) => score.total]];

/** Return the rows of the score sheet of a state: a heading, and a number for each player. */
export function scoreRows(score: ScoreResponse, state: GameState): (readonly [string, readonly number[]])[] {
  const reefs = state.players.some((player) => player.reefs.length > 0) ? REEF_CATEGORIES : [];
  return [...CATEGORIES, ...reefs, ...TOTAL].map(([name, pointsOf]) => [name, score.players.map(pointsOf)]);
}

/** Return the players' names by seat. */
export function namesOf({ players }: GameState): string[] {
  return players.map(({ displayName }) => displayName);
}

/** Return who won, in words; empty while the game goes on. */
export function winnerLine({ winners }: ScoreResponse, state: GameState): string {
  const names = namesOf(state);
  const named = winners.map((seat) => names[seat]).join(", ");
  return named && `${winners.length > 1 ? "Winners" : "Winner"}: ${named}`;
}

/** Return the score sheet of a state in lines, a column for each player, and who won. */
export function scoreLines(score: ScoreResponse, state: GameState): string[] {
  return [
    row("", namesOf(state)),
    ...scoreRows(score, state).map(([name, points]) => row(name, points)),
    winnerLine(score, state),
  ];
}

function row(heading: string, cells: readonly (string | number)[]): string {
  return heading.padEnd(14) + cells.map((cell) => String(cell).padStart(10)).join("");
}
