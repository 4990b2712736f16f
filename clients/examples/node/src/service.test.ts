// Against the service at FINSPAN_ADDRESS, as `make node-test` starts one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Code } from "@connectrpc/connect";
import { type Failure, failureOf, linesOf } from "./failure.js";
import { present } from "./game.js";
import { connect } from "./service.js";

const service = connect(process.env.FINSPAN_ADDRESS ?? "localhost:50051");

async function failure(call: Promise<unknown>): Promise<Failure> {
  return call.then(() => assert.fail("The call did not fail"), failureOf);
}

test("a refused move comes with its rule and a sentence", async () => {
  const { state } = await service.newGame({ players: 2, seed: "node" });
  const refused = await failure(
    service.applyMove({
      position: { case: "state", value: present(state, "state") },
      moves: [{ move: { case: "draw", value: {} } }],
    }),
  );
  assert.equal(refused.code, Code.FailedPrecondition);
  assert.equal(refused.reason, "ERROR_REASON_ILLEGAL_MOVE");
  assert.match(refused.rule, /^R\d+\.\d+$/);
  assert.notEqual(refused.text, "");
  assert.match(refused.requestId, /^[\da-f-]{36}$/);
  assert.ok(linesOf(refused)[0]?.includes(`(${refused.rule})`));
});

test("a bad request comes with its fields", async () => {
  const refused = await failure(service.newGame({ players: 6 }));
  assert.equal(refused.code, Code.InvalidArgument);
  assert.deepEqual(
    refused.faults.map(({ field }) => field),
    ["players"],
  );
  assert.equal(linesOf(refused).length, 3);
});

test("where nobody serves, the failure says so", async () => {
  const refused = await failure(connect("127.0.0.1:1").getCatalog({}));
  assert.equal(refused.code, Code.Unavailable);
  assert.equal(refused.reason, "");
});

test("what is no failed call is thrown on", () => {
  assert.throws(() => failureOf(new RangeError("a bug")), RangeError);
});
