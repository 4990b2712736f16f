import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { FinspanService } from "../src/gen/finspan_pb.js";
import type { Service } from "../src/service.js";

/** Return the service behind a proxy that speaks gRPC-Web. */
export function connectWeb(baseUrl: string): Service {
  return createClient(FinspanService, createGrpcWebTransport({ baseUrl, defaultTimeoutMs: 10_000 }));
}
