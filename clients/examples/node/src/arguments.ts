import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { BOTS } from "./bots.js";
import type { Bot } from "./game.js";
import { Expansion } from "./gen/finspan_pb.js";

/** What the program does and takes. */
export const USAGE = `Lets bots play a whole game of Finspan against a running service.

  --address HOST:PORT  where the service is  [default: FINSPAN_ADDRESS, else localhost:50051]
  --players N          how many bots play, 1 to 5  [default: 2]
  --seed SEED          the same seed is the same game  [default: a new one]
  --bot keen|digest    which bots  [default: keen]
  --expansion NAME     sharks-and-reefs: mixed into the base game
  --help               show this`;

/** What the command line asks for. */
export interface Arguments {
  readonly address: string;
  readonly players: number;
  readonly seed: string;
  readonly bot: Bot;
  readonly expansions: readonly Expansion[];
  readonly help: boolean;
}

const EXPANSIONS: ReadonlyMap<string, Expansion> = new Map([
  ["sharks-and-reefs", Expansion.SHARKS_AND_REEFS],
]);

/** A command line that asks for what is not there. */
export class BadUsage extends Error {}

/** Return what the command line asks for, or throw a `BadUsage`. */
export function readArguments(): Arguments {
  const { address, players, seed, bot, expansion, help } = parsed();
  if (!/^\d+$/.test(players)) {
    throw new BadUsage(`${players} is no number of players`);
  }
  const kind = BOTS.get(bot);
  if (kind === undefined) {
    throw new BadUsage(`There is no bot ${bot}`);
  }
  const expansions = [...new Set(expansion)].map(expansionNamed);
  return { address, players: Number(players), seed, bot: kind, expansions, help };
}

function expansionNamed(name: string): Expansion {
  const expansion = EXPANSIONS.get(name);
  if (expansion === undefined) {
    throw new BadUsage(`There is no expansion ${name}`);
  }
  return expansion;
}

function parsed() {
  try {
    return parseArgs({
      options: {
        address: { type: "string", default: process.env.FINSPAN_ADDRESS ?? "localhost:50051" },
        players: { type: "string", default: "2" },
        seed: { type: "string", default: randomBytes(4).toString("hex") },
        bot: { type: "string", default: "keen" },
        expansion: { type: "string", multiple: true, default: [] },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    throw new BadUsage(error instanceof Error ? error.message : String(error));
  }
}
