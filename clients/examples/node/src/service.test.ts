// Against the service at FINSPAN_ADDRESS, as `make node-test` starts one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Failure, failureOf, linesOf } from "./failure.js";
import { advice } from "./frontend.js";
import { present } from "./game.js";
import { RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";
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
  assert.equal(refused.metadata.get("move"), "draw");
  assert.match(refused.requestId, /^[\da-f-]{36}$/);
  assert.equal(linesOf(refused)[0], `FailedPrecondition: ${refused.text}`);
  assert.equal(refused.text.split(`(${refused.rule})`).length, 2);
  const rules = new Map([[refused.rule, "What it says."]]);
  assert.equal(advice(refused, rules), `${refused.text}\n${refused.rule}: What it says.`);
});

test("a bad request comes with its fields, their rules and sentences", async () => {
  const refused = await failure(service.newGame({ players: 6 }));
  assert.equal(refused.code, Code.InvalidArgument);
  assert.deepEqual(
    refused.faults.map(({ field, rule }) => [field, rule]),
    [["players", "R2.1"]],
  );
  assert.equal(linesOf(refused).length, 3);
  assert.equal(advice(refused, new Map()), refused.faults[0]?.text);
});

test("a request beyond the limit is the program's fault, and not a busy service's", async () => {
  const refused = await failure(service.newGame({ players: 2, seed: "x".repeat(5_000_000) }));
  assert.equal(refused.code, Code.ResourceExhausted);
  assert.equal(refused.reason, "");
  assert.match(advice(refused, new Map()), /wrong with this program/);
});

test("a service that wants to be asked later says when", () => {
  const retryDelay = { seconds: 1n, nanos: 500_000_000 };
  const details = [{ desc: RetryInfoSchema, value: { retryDelay } }];
  const busy = new ConnectError("busy", Code.Unavailable, undefined, details);
  assert.equal(failureOf(busy).retryMs, 1500);
  assert.equal(failureOf(new ConnectError("no")).retryMs, undefined);
});

test("where nobody serves, the failure says so", async () => {
  const refused = await failure(connect("127.0.0.1:1").getCatalog({}));
  assert.equal(refused.code, Code.Unavailable);
  assert.equal(refused.reason, "");
  assert.match(advice(refused, new Map()), /does not answer/);
});

test("what is no failed call is thrown on", () => {
  assert.throws(() => failureOf(new RangeError("a bug")), RangeError);
});
