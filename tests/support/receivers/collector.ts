import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A span as received by a collector. */
export interface Span {
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number | boolean>;
  /** Attributes of the process. */
  resource: Record<string, string | number | boolean>;
  /** Code 2 if it failed. */
  status: { code?: number; message?: string };
  durationMs: number;
}

/** An OpenTelemetry collector that stores what it receives by OTLP over HTTP. */
export interface Collector extends AsyncDisposable {
  url: string;
  spans: Span[];
  /** Headers of each request. */
  headers: IncomingHttpHeaders[];
  /** The bodies of all requests. */
  bodies: string[];
}

/** @param status the status of its responses */
export async function startCollector(status = 200): Promise<Collector> {
  const spans: Span[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    headers.push(request.headers);
    bodies.push(body);
    if (request.method === "POST" && request.url === "/v1/traces") spans.push(...spansOf(JSON.parse(body)));
    response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** OTLP’s JSON (opentelemetry-proto, trace/v1). */
interface Sent {
  resourceSpans: { resource: { attributes: Pair[] }; scopeSpans: { spans: SentSpan[] }[] }[];
}
interface Pair {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}
type SentSpan = Omit<Span, "attributes" | "resource" | "durationMs" | "parentSpanId"> & {
  parentSpanId?: string;
  attributes: Pair[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
};

function spansOf({ resourceSpans }: Sent): Span[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, parentSpanId = "", startTimeUnixNano, endTimeUnixNano, ...span }) => ({
        ...span,
        parentSpanId,
        attributes: recordOf(attributes),
        resource: recordOf(resource.attributes),
        durationMs: Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6,
      })),
    ),
  );
}

function recordOf(pairs: Pair[]): Span["attributes"] {
  return Object.fromEntries(
    pairs.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue ?? "",
    ]),
  );
}
