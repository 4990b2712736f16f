import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { BOTS } from "./bots.js";
import type { Bot } from "./game.js";

/** What the program does and takes. */
export const USAGE = `Lets bots play a whole game of Finspan against a running service.

  --address HOST:PORT  where the service is  [default: FINSPAN_ADDRESS, else localhost:50051]
  --players N          how many bots play, 1 to 5  [default: 2]
  --seed SEED          the same seed is the same game  [default: a new one]
  --bot keen|digest    which bots  [default: keen]
  --help               show this`;

/** What the command line asks for. */
export interface Arguments {
  readonly address: string;
  readonly players: number;
  readonly seed: string;
  readonly bot: Bot;
  readonly help: boolean;
}

/** A command line that asks for what is not there. */
export class BadUsage extends Error {}

/** Return what the command line asks for, or throw a `BadUsage`. */
export function readArguments(): Arguments {
  const { address, players, seed, bot, help } = parsed();
  if (!/^\d+$/.test(players)) {
    throw new BadUsage(`${players} is no number of players`);
  }
  const kind = BOTS.get(bot);
  if (kind === undefined) {
    throw new BadUsage(`There is no bot ${bot}`);
  }
  return { address, players: Number(players), seed, bot: kind, help };
}

function parsed() {
  try {
    return parseArgs({
      options: {
        address: { type: "string", default: process.env.FINSPAN_ADDRESS ?? "localhost:50051" },
        players: { type: "string", default: "2" },
        seed: { type: "string", default: randomBytes(4).toString("hex") },
        bot: { type: "string", default: "keen" },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    throw new BadUsage(error instanceof Error ? error.message : String(error));
  }
}
