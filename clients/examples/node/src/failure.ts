import { Code, ConnectError } from "@connectrpc/connect";
import { BadRequestSchema, ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";

const DOMAIN = "finspan";

/** A call that failed, with all that the service says about it. */
export interface Failure {
  /** The status code. */
  readonly code: Code;
  /** Why, as a sentence for people. */
  readonly text: string;
  /** The name of an ErrorReason of the contract, for programs; empty if the service was not reached. */
  readonly reason: string;
  /** The rule that forbids a move, such as "R5.1"; empty if it is not about one. */
  readonly rule: string;
  /** What is wrong with the request, field by field. */
  readonly faults: readonly { readonly field: string; readonly text: string }[];
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
    rule: info?.metadata.rule ?? "",
    faults: violations.map(({ field, description }) => ({ field, text: description })),
    requestId: thrown.metadata.get("x-request-id") ?? "",
  };
}

/** Return a failure in lines for people. */
export function linesOf(failure: Failure): string[] {
  const heading = failure.rule ? `${failure.text} (${failure.rule})` : failure.text;
  return [
    `${Code[failure.code]}: ${heading}`,
    ...failure.faults.map(({ field, text }) => `  ${field}: ${text}`),
    ...(failure.reason ? [`  reason ${failure.reason}, request ${failure.requestId}`] : []),
  ];
}
