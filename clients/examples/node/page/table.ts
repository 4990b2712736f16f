import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CallOptions } from "@connectrpc/connect";
import { failureOf, UNANSWERED } from "../src/failure.js";
import type { MoveInit, Standing } from "../src/frontend.js";
import { present } from "../src/game.js";
import type { Event, LegalMovesRequestSchema, ScoreResponse, WhyNot } from "../src/gen/finspan_pb.js";
import type { Service } from "../src/service.js";

type Position = NonNullable<MessageInitShape<typeof LegalMovesRequestSchema>["position"]>;

/** What opens a hosted game: its id, and the token of a seat. */
export interface Key {
  readonly gameId: string;
  readonly token: string;
}

/** How often a change is sent when nobody answers, and how long to wait before the next time. */
const ATTEMPTS = 3;
const RETRY_MS = 500;

/** A game as it was last seen: carried by the page, or hosted and opened with a key. */
export class Table {
  /** Where a carried game stood before each call, the latest last. */
  private readonly past: Standing[] = [];

  /** `ownSeat` is the seat that a key is for; without a key the page plays all seats. */
  constructor(
    private readonly service: Service,
    private now: Standing,
    private readonly key?: Key,
    private readonly ownSeat?: number,
  ) {}

  /** Open a hosted game. */
  static async open(service: Service, key: Key): Promise<Table> {
    const reply = await service.getGame({ gameId: key.gameId, withLegalMoves: true }, bearing(key));
    return new Table(service, reply, key, reply.game?.ownSeat);
  }

  get state() {
    return present(this.now.state, "state");
  }

  get decision() {
    return this.now.decision;
  }

  /** The seat that decides, if it is for this page to decide. */
  get decidingSeat(): number | undefined {
    const seat = this.decision?.seat;
    return this.key && seat !== this.ownSeat ? undefined : seat;
  }

  /** What this page may choose from. */
  get legalMoves() {
    return this.decidingSeat === undefined ? [] : this.now.legalMoves;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  /** Carry out moves, all or none, and return what happened. */
  async apply(...moves: MoveInit[]): Promise<Event[]> {
    const wish = { position: this.position, moves, withLegalMoves: true };
    const once = this.key ? { expectedVersion: this.state.version, requestId: crypto.randomUUID() } : {};
    const reply = await repeated(() => this.service.applyMove({ ...wish, ...once }, this.options));
    if (!this.key) {
      this.past.push(this.now);
    }
    this.now = reply;
    return reply.events;
  }

  /** Go back to where a carried game stood before the last call. */
  undo(): void {
    this.now = this.past.pop() ?? this.now;
  }

  /** Ask whether a hosted game has gone on without this page. */
  async isBehind(): Promise<boolean> {
    const { game, over } = await this.service.getGame(
      { gameId: present(this.key, "key").gameId },
      this.options,
    );
    return game?.version !== this.state.version || over !== (this.decision === undefined);
  }

  /** Catch up with a hosted game: look at it, then return what happened until then. */
  async catchUp(): Promise<Event[]> {
    const { gameId } = present(this.key, "key");
    const seen = this.state.version;
    this.now = await this.service.getGame({ gameId, withLegalMoves: true }, this.options);
    const events: Event[] = [];
    let pageToken = "";
    do {
      const page = await this.service.listEvents({ gameId, fromVersion: seen, pageToken }, this.options);
      events.push(...page.entries.flatMap((entry) => entry.events));
      pageToken = page.nextPageToken;
    } while (pageToken);
    return events.filter(({ version }) => seen < version && version <= this.state.version);
  }

  /** Ask why hand cards and kinds of moves are not offered. */
  async whyNot(): Promise<WhyNot[]> {
    const reply = await this.service.legalMoves({ position: this.position, whyNot: true }, this.options);
    return reply.whyNot;
  }

  async score(): Promise<ScoreResponse> {
    return await this.service.score({ position: this.position }, this.options);
  }

  private get position(): Position {
    return this.key ? { case: "gameId", value: this.key.gameId } : { case: "state", value: this.state };
  }

  private get options(): CallOptions {
    return this.key ? bearing(this.key) : {};
  }
}

function bearing({ token }: Key): CallOptions {
  return { headers: { authorization: `Bearer ${token}` } };
}

/** Make a call, and make it again as it is while nobody answers, or when the service says after how long. */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (thrown) {
      const { code, retryMs } = failureOf(thrown);
      const waitMs = retryMs ?? (UNANSWERED.has(code) ? RETRY_MS : undefined);
      if (attempt === ATTEMPTS || waitMs === undefined) {
        throw thrown;
      }
      await new Promise((done) => setTimeout(done, waitMs));
    }
  }
}
