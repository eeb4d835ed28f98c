import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

type Text = string | Iterable<string> | AsyncIterable<string>;

/** Characters of a text in parts that are made before the first is sent. */
const BEGINNING = 65_536;

/**
 * Sends a text as it is, whatever the schema of the response says. If making it fails at its beginning, the response is the problem;
 * later, the response is aborted.
 * @param text as a whole, or in parts while it is made
 */
export function sendText(reply: FastifyReply, type: string, text: Text): FastifyReply {
  reply.type(type);
  // A stream needs no serializer, and the problem that replaces it needs its usual one.
  if (typeof text !== "string") return reply.send(Readable.from(afterBeginning(text)));
  return reply.serializer(asWritten).send(text);
}

/** Serializes a text as it is, and the problem that can replace it as JSON. */
export function asWritten(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** The status is sent with the first part, so that an error before it can still be answered. */
async function* afterBeginning(parts: Exclude<Text, string>): AsyncGenerator<string> {
  let beginning: string | undefined = "";
  for await (const part of parts) {
    if (beginning === undefined) {
      yield part;
    } else {
      beginning += part;
      if (beginning.length < BEGINNING) continue;
      yield beginning;
      beginning = undefined;
    }
  }
  if (beginning !== undefined && beginning !== "") yield beginning;
}

/** Sends server-sent events. Neither caches nor proxies may hold them back. */
export function sendEvents(reply: FastifyReply, events: Readable): FastifyReply {
  return reply
    .type("text/event-stream; charset=utf-8")
    .header("cache-control", "no-store")
    .header("x-accel-buffering", "no")
    .send(events);
}
