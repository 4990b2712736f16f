import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { FinspanService } from "./gen/finspan_pb.js";

/** The calls of the contract, one method for each. */
export type Service = Client<typeof FinspanService>;

/** How long a call may take, in milliseconds. */
const DEADLINE = 10_000;

/**
 * Return the service at an address such as "localhost:50051", over gRPC in plain text.
 *
 * For TLS the base URL begins with https://.
 */
export function connect(address: string): Service {
  const transport = createGrpcTransport({ baseUrl: `http://${address}`, defaultTimeoutMs: DEADLINE });
  return createClient(FinspanService, transport);
}
