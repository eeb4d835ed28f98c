import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

type Text = string | Iterable<string> | AsyncIterable<string>;

/** Sends a text as it is, whatever the schema of the response says. @param text as a whole, or in parts while it is made */
export function sendText(reply: FastifyReply, type: string, text: Text): FastifyReply {
  reply.type(type).serializer((written: unknown) => written as string);
  return reply.send(typeof text === "string" ? text : Readable.from(text));
}

/** Sends server-sent events. Neither caches nor proxies may hold them back. */
export function sendEvents(reply: FastifyReply, events: Readable): FastifyReply {
  return reply
    .type("text/event-stream; charset=utf-8")
    .header("cache-control", "no-store")
    .header("x-accel-buffering", "no")
    .send(events);
}
