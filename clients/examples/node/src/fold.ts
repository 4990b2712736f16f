import { create } from "@bufbuild/protobuf";
import { present } from "./game.js";
import {
  AchievementPointsSchema,
  DiveStop,
  type Event,
  type GameState,
  type PlayerState,
  type Slot,
  type SlotState,
  SlotStateSchema,
  Trigger,
} from "./gen/finspan_pb.js";

/** The divers of each player in a week (R2.1). */
const DIVERS = 6;
/** The young that become a school (R4.2). */
const YOUNG_OF_A_SCHOOL = 3;

/**
 * Carry a table on by one event, in place. Knows what each event moves, and two numbers of the rules.
 *
 * The agenda and the sealed part are not folded: they come with the reply, and are not for drawing. The events of a
 * setup are not to be folded: what they tell stands in the first state already.
 */
export function fold(table: GameState, happening: Event): void {
  const { event, source, version } = happening;
  const player = present(table.players[happening.seat ?? 0], "player");
  const at = (slot: Slot) => slotOf(player, slot);
  table.version = version;
  switch (event.case) {
    case "diverPlaced":
      player.diversLeft = (player.diversLeft ?? 0) - 1;
      break;
    case "cardPaid":
      give(event.value.card, player.hand, player.discardPile);
      break;
    case "eggPaid":
      at(event.value.slot).egg = false;
      break;
    case "youngPaid":
      at(event.value.slot).young -= 1;
      break;
    case "schoolPaid":
      at(event.value.slot).school = false;
      break;
    case "fishCovered":
      put(event.value.card, at(event.value.slot).consumed);
      delete at(event.value.slot).fish;
      break;
    case "fishPlaced":
      take(event.value.card, player.hand);
      at(event.value.slot).fish = event.value.card;
      player.gameEndFishUsed = player.gameEndFishUsed.filter((slot) => slot !== event.value.slot);
      break;
    case "cardConsumed":
      give(event.value.card, player.hand, at(event.value.slot).consumed);
      break;
    case "cardDrawn":
      table.deckSize = (table.deckSize ?? 0) - 1;
      put(event.value.card, player.hand);
      break;
    case "cardRecovered":
      give(event.value.card, player.discardPile, player.hand);
      break;
    case "deckRenewed":
      table.deckSize = event.value.cards;
      for (const each of table.players) {
        each.discardPile = [];
      }
      break;
    case "eggLaid":
      at(event.value.slot).egg = true;
      break;
    case "eggHatched":
      at(event.value.slot).egg = false;
      at(event.value.slot).young += 1;
      break;
    case "youngPlaced":
      at(event.value.slot).young += 1;
      break;
    case "schoolFormed":
      at(event.value.slot).young -= YOUNG_OF_A_SCHOOL;
      at(event.value.slot).school = true;
      break;
    case "youngMoved":
      at(event.value.from).young -= 1;
      at(event.value.to).young += 1;
      break;
    case "schoolMoved":
      at(event.value.from).school = false;
      at(event.value.to).school = true;
      break;
    case "schoolScattered":
      at(event.value.slot).school = false;
      break;
    case "coralGained":
      player.reefs = player.reefs.map((coral, reef) => coral + Number(reef + 1 === event.value.site));
      break;
    case "bonusGained":
      if (source?.source.case === "bonus" && source.source.value.stop === DiveStop.DEEP_BONUS) {
        put(source.source.value.site, player.deepBonusesUsed);
      }
      break;
    case "fishActivated":
      if (event.value.trigger === Trigger.GAME_END) {
        put(event.value.slot, player.gameEndFishUsed);
      }
      break;
    case "weekScored":
      player.achievementPoints.push(
        create(AchievementPointsSchema, { points: event.value.points, most: event.value.most }),
      );
      break;
    case "weekBegan":
      table.week = event.value.week;
      table.firstPlayer = event.value.firstPlayer ?? 0;
      for (const each of table.players) {
        each.diversLeft = DIVERS;
        each.deepBonusesUsed = [];
      }
      break;
    case "turnBegan":
      table.turn = event.value.turn;
      table.seat = happening.seat ?? 0;
      break;
    case "gameEndBegan":
      table.seat = happening.seat ?? 0;
      break;
    case "gameOver":
      table.seat = table.firstPlayer ?? 0; // nobody's turn any more
      break;
  }
  player.ocean = player.ocean.filter(holdsSomething);
}

/** Return what lies on a slot; an empty one is laid in where it belongs. */
function slotOf(player: PlayerState, slot: Slot): SlotState {
  const found = player.ocean.find((held) => held.slot === slot);
  if (found) {
    return found;
  }
  const empty = create(SlotStateSchema, { slot });
  player.ocean.push(empty);
  player.ocean.sort((one, other) => one.slot - other.slot);
  return empty;
}

function holdsSomething({ fish, egg, young, school, consumed }: SlotState): boolean {
  return fish !== undefined || egg || young > 0 || school || consumed.length > 0;
}

/** Hands, piles and sets are ascending. */
function put(item: number, items: number[]): void {
  items.push(item);
  items.sort((one, other) => one - other);
}

function take(item: number, items: number[]): void {
  items.splice(items.indexOf(item), 1);
}

function give(card: number, from: number[], to: number[]): void {
  take(card, from);
  put(card, to);
}
