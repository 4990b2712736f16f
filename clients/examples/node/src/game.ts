import type {
  ApplyMoveResponse,
  Decision,
  GameState,
  GetCatalogResponse,
  LegalMove,
  NewGameResponse,
} from "./gen/finspan_pb.js";
import type { Service } from "./service.js";

/** One open decision, and all that may be known about it. */
export interface Position {
  readonly state: GameState;
  readonly decision: Decision;
  /** Exactly the moves that are legal, each with its id and its sentence; never empty. */
  readonly legalMoves: readonly LegalMove[];
  /** SHA-256 of the public facts, in hexadecimal digits. */
  readonly digest: string;
  readonly catalog: GetCatalogResponse;
}

/** Whatever can choose a move. */
export interface Bot {
  /** Return one of the position's legal moves. */
  choose(position: Position): LegalMove;
}

/** One move of a game: where it was made, which it was, and what came of it. */
export interface Played {
  readonly position: Position;
  readonly move: LegalMove;
  readonly reply: ApplyMoveResponse;
}

/** Return what the contract promises to be there; the wire would let it be left out. */
export function present<T>(value: T | undefined, what: string): T {
  if (value === undefined) {
    throw new Error(`The reply has no ${what}`);
  }
  return value;
}

/** Play a game to its end, and yield each move as soon as it is carried out. `bots` sit by seat. */
export async function* play(
  service: Service,
  bots: readonly Bot[],
  opening: NewGameResponse,
  catalog: GetCatalogResponse,
): AsyncGenerator<Played> {
  let before: NewGameResponse | ApplyMoveResponse = opening;
  while (before.legalMoves.length > 0) {
    const position = positionAfter(before, catalog);
    const bot = present(bots[present(position.decision.seat, "seat")], "bot");
    const move = bot.choose(position);
    const reply: ApplyMoveResponse = await service.applyMove({
      position: { case: "state", value: position.state },
      moves: [present(move.move, "move")],
      withLegalMoves: true,
    });
    yield { position, move, reply };
    before = reply;
  }
}

function positionAfter(reply: NewGameResponse | ApplyMoveResponse, catalog: GetCatalogResponse): Position {
  return {
    state: present(reply.state, "state"),
    decision: present(reply.decision, "decision"),
    legalMoves: reply.legalMoves,
    digest: reply.digest,
    catalog,
  };
}
