// The frontend of docs/frontend.md in the page's order, with lines of text for a screen. The page quotes this file.
import { randomUUID } from "node:crypto";
import { clone, fromBinary, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-node";
import { KeenBot } from "./bots.js";
import { failureOf } from "./failure.js";
import { fold } from "./fold.js";
import {
  advice,
  dropTargets,
  type LookUp,
  lookUp,
  type MoveInit,
  type Standing,
  slotText,
} from "./frontend.js";
import { play, present } from "./game.js";
import {
  Expansion,
  FinspanService,
  type GameState,
  GameStateSchema,
  type GetCatalogResponse,
  type NewGameResponse,
  type PlayerState,
  Slot,
} from "./gen/finspan_pb.js";
import { scoreLines } from "./score.js";
import { connect, type Service } from "./service.js";

const NAMES = ["Ada", "Bob"];

/** What lies in the first hand of the seed below, and is clicked. */
const [PARALIPARIS, LANTERNFISH, PORKFISH] = [87, 127, 133];

/** Return one player's side of the table in lines: what a screen shows in 18 places and two rows of cards. */
export function playerLines(player: PlayerState, look: LookUp): string[] {
  const held = new Map(player.ocean.map((each) => [each.slot, each]));
  const cards = (ids: number[]) => ids.map((id) => look.fishNames.get(id)).join(", ") || "none";
  const places = look.slots.flatMap(({ slot, name }) => {
    const here = held.get(slot);
    return here ? [`  ${name} ${slotText(here, look)}`] : []; // a screen draws the empty ones too
  });
  return [
    `${player.displayName}, ${player.diversLeft} divers`,
    ...places,
    ...(player.reefs.length > 0 ? [reefLine(player)] : []),
    `  hand: ${cards(player.hand)}`,
    `  discard pile: ${cards(player.discardPile)}`,
  ];
}

/** Return the coral of a player's reefs in a line; a screen shows three times six places. */
function reefLine({ displayName, reefs }: PlayerState): string {
  const [blue, purple, green] = reefs;
  return `${displayName}'s coral: ${blue} blue, ${purple} purple, ${green} green`;
}

/** Return the open question and its numbered answers; of many, the last ones. */
export function decisionLines({ decision, legalMoves }: Standing): string[] {
  const answers = legalMoves.map(({ text }, index) => `  ${index + 1} ${text}`);
  return [decision?.text ?? "The game is over.", ...answers.slice(-4)];
}

/** Return a whole play in moves: the card onto its slot, then each hand card that pays for it. */
export function wholePlay(card: number, slot: Slot, payment: readonly number[]): MoveInit[] {
  return [
    { move: { case: "playFish", value: { card, slot } } },
    ...payment.map((paid): MoveInit => ({ move: { case: "payCard", value: { card: paid } } })),
  ];
}

/** A game on one screen. */
export class Screen {
  /** Where the game stood before each call, the latest last. */
  private readonly past: Standing[] = [];

  constructor(
    private readonly service: Service,
    private readonly show: (table: GameState, line: string) => void,
    public now: Standing,
  ) {}

  get state(): GameState {
    return present(this.now.state, "state");
  }

  /** Carry out moves, all or none, and show what happens one by one. */
  async apply(...moves: MoveInit[]): Promise<void> {
    const reply = await this.service.applyMove({
      position: { case: "state", value: this.state },
      moves,
      withLegalMoves: true,
    });
    const table = clone(GameStateSchema, this.state);
    for (const event of reply.events) {
      fold(table, event);
      this.show(table, event.text);
    }
    this.past.push(this.now);
    this.now = reply;
  }

  /** Carry out a legal move by its number on the list, from 1. */
  async pick(number: number): Promise<void> {
    const { move } = present(this.now.legalMoves[number - 1], "such move");
    await this.apply(present(move, "move"));
  }

  /** Go back to where the game stood before the last call. */
  undo(): void {
    this.now = this.past.pop() ?? this.now;
  }
}

/** Ask why a card cannot be dropped on a slot. */
export async function whyNotThere(
  service: Service,
  state: GameState,
  card: number,
  slot: Slot,
): Promise<string> {
  const { whyNot } = await service.legalMoves({
    position: { case: "state", value: state },
    whyNotMoves: [{ move: { case: "playFish", value: { card, slot } } }],
  });
  return whyNot.map(({ text, rule }) => `${text} (${rule})`).join() || "It can.";
}

/** Ask why hand cards are greyed out; the reasons by card. */
export async function greyedOut(service: Service, state: GameState): Promise<Map<number, string>> {
  const { whyNot } = await service.legalMoves({ position: { case: "state", value: state }, whyNot: true });
  const reasons = new Map<number, string>();
  for (const { subject, text, rule } of whyNot) {
    if (subject.case === "card") {
      reasons.set(subject.value, `${text} (${rule})`);
    } // else a kind of move that is not offered now: for its button
  }
  return reasons;
}

/** Ask for the score and give the call a name, which the service's log and its reply bear. */
export async function scoreAndId(service: Service, state: GameState) {
  const sent = randomUUID();
  let received: string | null = null;
  const score = await service.score(
    { position: { case: "state", value: state } },
    {
      headers: { "x-request-id": sent },
      onTrailer: (trailer) => {
        received = trailer.get("x-request-id");
      },
    },
  );
  return { score, sent, received };
}

/** Return the service behind a proxy that speaks gRPC-Web, which is all that browsers speak. */
export function connectWeb(baseUrl: string): Service {
  const transport = createGrpcWebTransport({ baseUrl, httpVersion: "1.1", defaultTimeoutMs: 10_000 });
  return createClient(FinspanService, transport);
}

/** Play the rest of a game by bots, and return where it ends. */
async function playOut(
  service: Service,
  opening: NewGameResponse,
  catalog: GetCatalogResponse,
): Promise<GameState> {
  const bots = NAMES.map(() => new KeenBot());
  let last = opening.state;
  for await (const { reply } of play(service, bots, opening, catalog)) {
    last = reply.state;
  }
  return present(last, "state");
}

const say = (...lines: string[]) => console.log(lines.join("\n"));

async function tour(service: Service): Promise<void> {
  const catalog = await service.getCatalog({});
  const look = lookUp(catalog);
  say(`${look.cards.size} cards, ${look.slots.length} slots, ${look.rules.size} rules`);

  const opening = await service.newGame({
    players: NAMES.length,
    displayNames: NAMES,
    seed: "high tide",
    withLegalMoves: true,
  });
  const screen = new Screen(service, (table, line) => say(`${line} (deck: ${table.deckSize})`), opening);
  say(...screen.state.players.flatMap((player) => playerLines(player, look)));
  say(...decisionLines(screen.now));

  const targets = dropTargets(screen.now.legalMoves).get(LANTERNFISH) ?? [];
  say(`${look.fishNames.get(LANTERNFISH)} goes to ${targets.map((slot) => Slot[slot]).join(", ")}`);
  say(await whyNotThere(service, screen.state, LANTERNFISH, Slot.B1));
  say(...(await greyedOut(service, screen.state)).values());

  await screen.apply(...wholePlay(LANTERNFISH, Slot.P4, [PARALIPARIS, PORKFISH]));
  say(...decisionLines(screen.now));
  await screen.pick(1);
  say(...decisionLines(screen.now));

  const kept = toBinary(GameStateSchema, screen.state);
  screen.undo();
  screen.undo();
  const again = fromBinary(GameStateSchema, kept);
  say(`Undone to version ${screen.state.version}; kept is version ${again.version}`);

  const failed = await screen.apply(...wholePlay(LANTERNFISH, Slot.B1, [])).catch(failureOf);
  say(failed ? advice(failed, look.rules) : "Nothing failed");

  const { score, sent, received } = await scoreAndId(service, screen.state);
  say(score.players.map(({ total }) => total).join(" : "), `The same request id: ${sent === received}`);

  const end = await playOut(service, opening, catalog);
  say(...scoreLines((await scoreAndId(service, end)).score, end));

  const reefs = await service.newGame({
    players: NAMES.length,
    displayNames: NAMES,
    options: { expansions: [Expansion.SHARKS_AND_REEFS] },
    seed: "clear water",
    withLegalMoves: true,
  });
  const endOfReefs = await playOut(service, reefs, catalog);
  say(...endOfReefs.players.map((player) => reefLine(player)));
  say(...scoreLines((await scoreAndId(service, endOfReefs)).score, endOfReefs));
}

const web = process.env.FINSPAN_WEB;
await tour(web ? connectWeb(web) : connect(process.env.FINSPAN_ADDRESS ?? "localhost:50051"));
