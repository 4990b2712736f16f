import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "./gen/google/rpc/error_details_pb.js";

const DOMAIN = "finspan";

/** The codes of calls that nobody may have answered; a browser calls a lost connection Unknown. */
export const UNANSWERED: ReadonlySet<Code> = new Set([Code.Unavailable, Code.Unknown, Code.DeadlineExceeded]);

/** One thing that is wrong with a request. */
export interface Fault {
  /** Where, such as "players[1].hand". */
  readonly field: string;
  /** What, as a sentence for people. */
  readonly text: string;
  /** The rule that forbids it, such as "R2.1"; empty if none does. */
  readonly rule: string;
}

/** A call that failed, with all that the service says about it. */
export interface Failure {
  /** The status code. */
  readonly code: Code;
  /** Why, as a sentence for people, the rule included. */
  readonly text: string;
  /** The name of an ErrorReason of the contract, for programs; empty if it was not the service that refused. */
  readonly reason: string;
  /** What the contract promises for this reason, such as the "current_version". */
  readonly metadata: ReadonlyMap<string, string>;
  /** The rule that forbids it, such as "R5.1"; empty if none does. */
  readonly rule: string;
  /** What is wrong with the request, field by field. */
  readonly faults: readonly Fault[];
  /** After how many milliseconds the same may be tried again, if the service says so. */
  readonly retryMs: number | undefined;
  /** What the server's log calls this call; empty if the service was not reached. */
  readonly requestId: string;
}

/** Return what a failed call says; whatever is thrown that is no failed call is thrown on. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof ConnectError)) {
    throw thrown;
  }
  const info = thrown.findDetails(ErrorInfoSchema).find((detail) => detail.domain === DOMAIN);
  const violations = thrown.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations);
  return {
    code: thrown.code,
    text: thrown.rawMessage,
    reason: info?.reason ?? "",
    metadata: new Map(Object.entries(info?.metadata ?? {})),
    rule: info?.metadata.rule ?? "",
    faults: violations.map(({ field, description, reason }) => ({ field, text: description, rule: reason })),
    retryMs: retryMsOf(thrown),
    requestId: thrown.metadata.get("x-request-id") ?? "",
  };
}

function retryMsOf(thrown: ConnectError): number | undefined {
  const delay = thrown.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return delay && Number(delay.seconds) * 1000 + delay.nanos / 1e6;
}

/** Return a failure in lines for people. */
export function linesOf(failure: Failure): string[] {
  return [
    `${Code[failure.code]}: ${failure.text}`,
    ...failure.faults.map(({ field, text }) => `  ${field}: ${text}`),
    ...(failure.reason ? [`  reason ${failure.reason}, request ${failure.requestId}`] : []),
  ];
}
