// Against the service at FINSPAN_ADDRESS: whole games, whose events must give the tables that the replies have.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clone, toJson } from "@bufbuild/protobuf";
import { DigestBot } from "./bots.js";
import { fold } from "./fold.js";
import { play, present } from "./game.js";
import { BoardSide, Expansion, type GameState, GameStateSchema } from "./gen/finspan_pb.js";
import { connect } from "./service.js";

const service = connect(process.env.FINSPAN_ADDRESS ?? "localhost:50051");

/** Return what of a state is drawn. */
function drawn(state: GameState) {
  const copy = clone(GameStateSchema, state);
  copy.agenda = [];
  copy.hidden = { case: undefined };
  return toJson(GameStateSchema, copy);
}

const REEFS = [Expansion.SHARKS_AND_REEFS];

for (const [players, side, expansions] of [
  [1, BoardSide.A, []],
  [2, BoardSide.B, []],
  [3, BoardSide.A, []],
  [5, BoardSide.B, []],
  [1, BoardSide.B, REEFS],
  [2, BoardSide.A, REEFS],
  [5, BoardSide.B, REEFS],
] as const) {
  const sets = expansions.map((each) => `, ${Expansion[each]}`).join("");
  test(`events give the table, ${players} players, side ${BoardSide[side]}${sets}`, async () => {
    const catalog = await service.getCatalog({});
    const options = { side, expansions: [...expansions] };
    const opening = await service.newGame({ players, options, seed: "fold", withLegalMoves: true });
    const bots = Array.from({ length: players }, () => new DigestBot());
    const table = clone(GameStateSchema, present(opening.state, "state"));
    let moves = 0;
    const happened = new Set<string | undefined>();
    for await (const { reply } of play(service, bots, opening, catalog)) {
      for (const event of reply.events) {
        fold(table, event);
        happened.add(event.event.case);
      }
      assert.deepEqual(drawn(table), drawn(present(reply.state, "state")));
      moves += 1;
    }
    assert.ok(moves > 24 * players);
    assert.equal(happened.has("coralGained"), expansions.length > 0);
  });
}
