// What a frontend needs besides the calls, whatever draws its screen: the tour and the page use it, docs/frontend.md
// quotes it.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Failure, UNANSWERED } from "./failure.js";
import type {
  GetCatalogResponse,
  LegalMove,
  MoveSchema,
  NewGameResponse,
  Slot,
  SlotState,
} from "./gen/finspan_pb.js";

/** Return the catalogue with its entries by id. */
export function lookUp(catalog: GetCatalogResponse) {
  const allFish = [...catalog.cards, ...catalog.forageFish];
  return {
    cards: new Map(catalog.cards.map((card) => [card.id, card])),
    fishNames: new Map(allFish.map(({ id, name }) => [id, name])),
    slots: catalog.slots, // six of blue from the top, then purple, then green
    rules: new Map(catalog.rules.map(({ id, text }) => [id, text])),
  };
}

export type LookUp = ReturnType<typeof lookUp>;

/** Return what lies on a slot, in words. */
export function slotText({ fish, egg, young, school, consumed }: SlotState, { fishNames }: LookUp): string {
  const things = [
    fish === undefined ? "" : fishNames.get(fish),
    egg ? "egg" : "",
    young > 0 ? `${young} young` : "",
    school ? "school" : "",
    consumed.length > 0 ? `${consumed.length} consumed` : "",
  ];
  return things.filter(Boolean).join(", ");
}

/** Where a game stands, with what may be done there. */
export type Standing = Pick<NewGameResponse, "state" | "decision" | "legalMoves">;

export type MoveInit = MessageInitShape<typeof MoveSchema>;

/** Return the slots that each hand card can be dropped on now. */
export function dropTargets(legalMoves: readonly LegalMove[]): Map<number, Slot[]> {
  const targets = new Map<number, Slot[]>();
  for (const { move } of legalMoves) {
    if (move?.move.case === "playFish") {
      const { card, slot } = move.move.value;
      targets.set(card, [...(targets.get(card) ?? []), slot]);
    }
  }
  return targets;
}

/** Return what to tell a player whose call failed. */
export function advice(failure: Failure, rules: LookUp["rules"]): string {
  const { code, text, reason, rule, faults, requestId } = failure;
  switch (reason) {
    case "ERROR_REASON_ILLEGAL_MOVE":
    case "ERROR_REASON_GAME_OVER":
    case "ERROR_REASON_NOT_YOUR_SEAT":
      return `${text}\n${rule}: ${rules.get(rule)}`;
    case "ERROR_REASON_INVALID_FIELD":
      return faults.map((fault) => fault.text).join("\n") || text;
    case "ERROR_REASON_RULES_VERSION":
    case "ERROR_REASON_SEAL_KEY_UNKNOWN":
      return "This game was begun on another service and cannot go on here.";
    case "ERROR_REASON_TOKEN_REFUSED":
      return "This seat is no longer yours. Ask whoever hosts the game.";
    case "ERROR_REASON_STALE_VERSION":
      return "The game has moved on. Look at it, and decide anew.";
    case "ERROR_REASON_GAME_NOT_FOUND":
    case "ERROR_REASON_NOT_ALLOWED":
    case "ERROR_REASON_NOT_OFFERED":
    case "ERROR_REASON_VERSION_LOST":
      return text;
    case "ERROR_REASON_TOO_MANY_CALLS":
    case "ERROR_REASON_DRAINING":
    case "ERROR_REASON_DEADLINE":
    case "ERROR_REASON_STORE_UNAVAILABLE":
      return "The service is busy. Try again.";
    case "ERROR_REASON_INTERNAL":
      return `Something went wrong in the service; request ${requestId}.`;
    case "":
      return UNANSWERED.has(code)
        ? "The service does not answer. Try again."
        : `Something is wrong with this program or its proxy: ${text}`;
    default:
      return `Something is wrong with this program; request ${requestId}.`;
  }
}
