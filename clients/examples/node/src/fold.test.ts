// Against the service at FINSPAN_ADDRESS: whole games, whose events must give the tables that the replies have.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clone, toJson } from "@bufbuild/protobuf";
import { DigestBot } from "./bots.js";
import { fold } from "./fold.js";
import { play, present } from "./game.js";
import { BoardSide, type GameState, GameStateSchema } from "./gen/finspan_pb.js";
import { connect } from "./service.js";

const service = connect(process.env.FINSPAN_ADDRESS ?? "localhost:50051");

/** Return what of a state is drawn. */
function drawn(state: GameState) {
  const copy = clone(GameStateSchema, state);
  copy.agenda = [];
  copy.hidden = { case: undefined };
  return toJson(GameStateSchema, copy);
}

for (const [players, side] of [
  [1, BoardSide.A],
  [2, BoardSide.B],
  [3, BoardSide.A],
  [5, BoardSide.B],
] as const) {
  test(`events give the table, ${players} players, side ${BoardSide[side]}`, async () => {
    const catalog = await service.getCatalog({});
    const opening = await service.newGame({ players, options: { side }, seed: "fold", withLegalMoves: true });
    const bots = Array.from({ length: players }, () => new DigestBot());
    const table = clone(GameStateSchema, present(opening.state, "state"));
    let moves = 0;
    for await (const { reply } of play(service, bots, opening, catalog)) {
      for (const event of reply.events) {
        fold(table, event);
      }
      assert.deepEqual(drawn(table), drawn(present(reply.state, "state")));
      moves += 1;
    }
    assert.ok(moves > 24 * players);
  });
}
