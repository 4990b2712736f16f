// A page that plays whole games, carried or hosted. In its address ?proxy=URL names the proxy, &pause=MS how long an
// event is shown, &seed=TEXT the deck of a carried game, for trying things out.
import { clone } from "@bufbuild/protobuf";
import { failureOf } from "../src/failure.js";
import { fold } from "../src/fold.js";
import { advice, type LookUp, lookUp } from "../src/frontend.js";
import { type Event, Expansion, GameStateSchema, type Slot, StateForm } from "../src/gen/finspan_pb.js";
import { byId, drawPlayers, drawQuestion, drawScore, element, type Scene } from "./draw.js";
import { connectWeb } from "./service.js";
import { Table } from "./table.js";

const NAMES = ["Ada", "Bob", "Cleo", "Dan", "Eve"];
const POLL_MS = 1000;

const query = new URLSearchParams(location.search);
const service = connectWeb(query.get("proxy") ?? "http://localhost:8080");
const pauseMs = Number(query.get("pause") ?? 300);
const seed = query.get("seed");
const catalog = await service.getCatalog({}).catch((thrown: unknown) => {
  tell(thrown, new Map());
  throw thrown;
});
const look = lookUp(catalog);

let table: Table | undefined;
let reasons = new Map<number, string>();
let held: number | undefined;
let busy = false; // a call is on its way, or its events are being shown

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

function scene(at: Table | undefined): Scene {
  return { look, legalMoves: at?.legalMoves ?? [], reasons, seat: at?.decidingSeat, held, take, drop };
}

function draw(at: Table): void {
  drawPlayers(at.state, scene(at));
  drawQuestion(at.decision?.text ?? "The game is over.", at.legalMoves, ({ move }) => {
    if (move) {
      void change((now) => now.apply(move));
    }
  });
  byId("undo").hidden = !at.canUndo;
}

function take(card: number): void {
  held = card;
  if (table && !busy) {
    draw(table);
  }
}

/** Play the card that is held. Whether it may go there is the service's to say. */
function drop(slot: Slot): void {
  const card = held;
  if (card !== undefined) {
    void change((now) => now.apply({ move: { case: "playFish", value: { card, slot } } }));
  }
}

/** Let something happen, show its events one by one, then where the game stands. One thing happens at a time. */
async function change(happening: (now: Table) => Promise<Event[]>): Promise<void> {
  if (!table || busy) {
    return;
  }
  setBusy(true);
  held = undefined;
  await attempt(async () => {
    const now = table as Table;
    const before = clone(GameStateSchema, now.state);
    for (const event of await happening(now)) {
      fold(before, event);
      byId("events").prepend(element("li", event.text));
      drawPlayers(before, scene(undefined));
      await pause(pauseMs);
    }
    await judge(now);
  });
  draw(table);
  setBusy(false);
}

function setBusy(now: boolean): void {
  busy = now;
  document.body.ariaBusy = String(now);
}

/** Ask what cannot be played and why, and for the score. */
async function judge(now: Table): Promise<void> {
  const [whyNot, score] = await Promise.all([now.decision ? now.whyNot() : [], now.score()]);
  reasons = new Map();
  for (const { subject, text, rule } of whyNot) {
    if (subject.case === "card") {
      reasons.set(subject.value, `${text} (${rule})`);
    }
  }
  drawScore(score, now.state);
}

/** Do something that may fail, and tell the player if it does. */
async function attempt(something: () => Promise<void>): Promise<void> {
  try {
    await something();
    byId("message").textContent = "";
  } catch (thrown) {
    tell(thrown, look.rules);
  }
}

function tell(thrown: unknown, rules: LookUp["rules"]): void {
  const failure = failureOf(thrown);
  byId("message").textContent = advice(failure, rules);
  byId("message").title = failure.reason;
}

async function begin(form: FormData): Promise<void> {
  const players = Number(form.get("players"));
  const hosted = form.has("hosted");
  const opening = await service.newGame({
    players,
    displayNames: NAMES.slice(0, players),
    options: { expansions: form.has("reefs") ? [Expansion.SHARKS_AND_REEFS] : [] },
    withLegalMoves: true,
    ...(seed !== null && !hosted ? { seed } : {}),
    ...(hosted ? { form: StateForm.HOSTED, requestId: crypto.randomUUID() } : {}),
  });
  const links = opening.tokens.map(({ token }, seat) => {
    const link = document.createElement("a");
    link.textContent = `${NAMES[seat]}'s seat `;
    link.href = `${location.search}#${new URLSearchParams({ game: opening.game?.gameId ?? "", token })}`;
    link.target = "_blank";
    return link;
  });
  byId("seats").replaceChildren(...links);
  if (!hosted) {
    table = new Table(service, opening);
    await change(async () => []);
  }
}

/** Take the seat that the address names, and follow the game to its end. */
async function join(gameId: string, token: string): Promise<void> {
  const joined = await Table.open(service, { gameId, token });
  table = joined;
  await change(async () => []);
  while (joined.decision) {
    await pause(POLL_MS);
    if (!busy && (await joined.isBehind().catch(() => false))) {
      await change((now) => now.catchUp());
    }
  }
}

byId("begin").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = new FormData(event.target as HTMLFormElement);
  void attempt(() => begin(form));
});
byId("undo").addEventListener("click", () => {
  void change(async (now) => {
    now.undo();
    return [];
  });
});
const seat = new URLSearchParams(location.hash.slice(1));
const [gameId, token] = [seat.get("game"), seat.get("token")];
if (gameId && token) {
  await attempt(() => join(gameId, token));
} else {
  byId("begin").hidden = false;
  byId("new").removeAttribute("disabled"); // until then a form would be sent as forms without a script are
  setBusy(false);
}
