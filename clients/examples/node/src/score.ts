import type { PlayerScore, ScoreResponse } from "./gen/finspan_pb.js";

/** The lines of the score sheet, and what of a score each shows. */
const CATEGORIES: readonly (readonly [string, (score: PlayerScore) => number])[] = [
  ["achievements", (score) => score.achievements],
  ["game end", (score) => score.gameEnd],
  ["printed", (score) => score.printed],
  ["consumed", (score) => score.consumed],
  ["eggs", (score) => score.eggs],
  ["young", (score) => score.young],
  ["schools", (score) => score.schools],
  ["total", (score) => score.total],
];

/** Return the score sheet in lines, a column for each player, and who won. */
export function scoreLines(score: ScoreResponse, names: readonly string[]): string[] {
  const winners = score.winners.map((seat) => names[seat]).join(", ");
  return [
    row("", names),
    ...CATEGORIES.map(([name, pointsOf]) => row(name, score.players.map(pointsOf))),
    `${score.winners.length > 1 ? "Winners" : "Winner"}: ${winners}`,
  ];
}

function row(heading: string, cells: readonly (string | number)[]): string {
  return heading.padEnd(14) + cells.map((cell) => String(cell).padStart(10)).join("");
}
