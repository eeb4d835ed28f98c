import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { UnexpectedAnswerError } from "../../../packages/client/src/index.ts";
import { Client } from "../client/client.ts";
import { BrokenAnswer } from "./retries.ts";
import { sendByTus } from "./send-by-tus.ts";

const CONTENT = Buffer.from("barley");
let server: ReturnType<typeof createServer> | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await server?.[Symbol.asyncDispose]();
});

/** Sends a file to a server with these answers, one for each request. The last one is repeated. */
async function send(...answers: ((answer: ServerResponse, request: IncomingMessage) => void)[]) {
  let requests = 0;
  const errors: unknown[] = [];
  server = createServer((request, answer) => {
    const respond = answers[Math.min(requests++, answers.length - 1)];
    request.resume().once("end", () => respond?.(answer, request));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const file = { endpoint: `${client.url}/files`, url: undefined, bytes: CONTENT.length, content: CONTENT };
  const url = await sendByTus(
    client,
    { ...file, metadata: { path: "a" } },
    { onProgress() {}, onRetry: (_, error) => errors.push(error), signal: new AbortController().signal },
  );
  return { url: new URL(url).pathname, errors };
}

/** The status and headers of an answer, and only the beginning of its body. */
function broken(answer: ServerResponse): void {
  answer.writeHead(503, { "content-type": "application/problem+json", "content-length": "100" });
  answer.write("{", () => answer.destroy());
}

function created(answer: ServerResponse): void {
  answer.writeHead(201, { location: "/files/1", "upload-offset": String(CONTENT.length) }).end();
}

/** As of a proxy. */
function noJson(answer: ServerResponse): void {
  answer.writeHead(503).end("{unavailable");
}

test("a request is repeated if the connection breaks in the middle of the answer", async () => {
  const { url, errors } = await send(broken, created);
  expect(url).toBe("/files/1");
  expect(errors).toEqual([expect.any(BrokenAnswer)]);
});

test("a request is repeated after an answer of a proxy that is not valid JSON", async () => {
  const { url, errors } = await send(noJson, created);
  expect(url).toBe("/files/1");
  expect(errors).toEqual([expect.any(UnexpectedAnswerError)]);
});
