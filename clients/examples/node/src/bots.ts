import { type Bot, type Position, present } from "./game.js";
import type { LegalMove } from "./gen/finspan_pb.js";

/**
 * Plays what has the most printed points, and declines nothing if it can help it. A start for a bot of your own:
 * change `worth`.
 */
export class KeenBot implements Bot {
  choose({ legalMoves, catalog }: Position): LegalMove {
    const points = new Map(catalog.cards.map((card) => [card.id, card.points]));
    return best(legalMoves, (legal) => worth(legal, points));
  }
}

/**
 * Lets the digest of the position choose. That looks like chance and is the same in every language: clients that
 * play one seed with it reach one and the same last digest.
 */
export class DigestBot implements Bot {
  choose({ digest, legalMoves }: Position): LegalMove {
    const number = Number.parseInt(digest.slice(0, 8), 16);
    return present(legalMoves[number % legalMoves.length], "legal move");
  }
}

/** The bots by name. */
export const BOTS: ReadonlyMap<string, Bot> = new Map<string, Bot>([
  ["keen", new KeenBot()],
  ["digest", new DigestBot()],
]);

function worth(legal: LegalMove, points: ReadonlyMap<number, number>): number {
  const { move } = present(legal.move, "move");
  switch (move.case) {
    case "playFish":
      return 10 + (points.get(move.value.card) ?? 0);
    case "payCard":
      return -(points.get(move.value.card) ?? 0);
    case "buyCoral":
      return move.value.payment.case === "card" ? -(points.get(move.value.payment.value) ?? 0) : 0;
    case "pass":
      return -100;
    default:
      return 0;
  }
}

/** Return the first of those that are worth most. */
function best<T>(items: readonly T[], worthOf: (item: T) => number): T {
  return items.reduce((first, other) => (worthOf(other) > worthOf(first) ? other : first));
}
