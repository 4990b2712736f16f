import { type Arguments, BadUsage, readArguments, USAGE } from "./arguments.js";
import { failureOf, linesOf } from "./failure.js";
import { type Played, play, present } from "./game.js";
import { scoreLines } from "./score.js";
import { connect } from "./service.js";

/** Let bots play a game, and tell it as it happens. */
async function playAndTell({ address, players, seed, bot, expansions }: Arguments): Promise<void> {
  const service = connect(address);
  const names = Array.from({ length: players }, (_, seat) => `Bot ${seat + 1}`);
  const catalog = await service.getCatalog({});
  const options = { expansions: [...expansions] };
  const opening = await service.newGame({
    players,
    seed,
    options,
    displayNames: names,
    withLegalMoves: true,
  });
  console.log(`Rules version ${catalog.rulesVersion}, seed ${seed}`);
  let last = opening.state;
  for await (const played of play(
    service,
    names.map(() => bot),
    opening,
    catalog,
  )) {
    console.log(moveLine(played, names));
    last = played.reply.state;
    if (played.reply.over) {
      console.log(`${played.reply.version} moves, digest ${played.reply.digest}`);
    }
  }
  const end = present(last, "state");
  const score = await service.score({ position: { case: "state", value: end } });
  console.log(scoreLines(score, end).join("\n"));
}

function moveLine({ position, move }: Played, names: readonly string[]): string {
  const { week, turn } = position.state;
  return `${week}.${turn} ${names[present(position.decision.seat, "seat")]}: ${move.text}`;
}

/** Return what went wrong in lines for people; a fault of our own is thrown on. */
function complaint(thrown: unknown): string[] {
  return thrown instanceof BadUsage ? [thrown.message, USAGE] : linesOf(failureOf(thrown));
}

try {
  const asked = readArguments();
  if (asked.help) {
    console.log(USAGE);
  } else {
    await playAndTell(asked);
  }
} catch (thrown) {
  console.error(complaint(thrown).join("\n"));
  process.exitCode = 1;
}
