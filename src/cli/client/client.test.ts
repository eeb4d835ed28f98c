import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Client, isUncertain, type LongWait } from "./client.ts";

/** For services that do not answer: each call takes that long. */
const LIMITS = { answerMs: 400, answerBytes: 1 << 20 };
/** For services that answer: enough time on a busy machine. */
const PATIENT = { ...LIMITS, answerMs: 3_000 };
const timers = new Set<NodeJS.Timeout>();
let server: Server | undefined;
afterEach(() => {
  for (const timer of timers) clearInterval(timer);
  server?.closeAllConnections();
  server?.close();
});

async function clientOf(listener: RequestListener, limits = LIMITS): Promise<Client> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, undefined, limits);
}

const post = (client: Client) => client.ask(client.api.POST("/submission/validate", { body: [] as never }));
const postLong = async (client: Client, wait: LongWait) =>
  (await client.askSource(wait, (limits) => client.api.POST("/submission/validate", { body: [] as never, ...limits })))
    .data;
const list = (client: Client) =>
  Array.fromAsync(client.pages((query) => client.api.GET("/submission", { params: { query } })));

function begin(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.flushHeaders();
  if (text !== "") response.write(text);
}

const hostile: [string, RequestListener][] = [
  ["never answers", () => undefined],
  ["sends headers and no body", (_, response) => begin(response, 200, "")],
  ["sends the beginning of a response", (_, response) => begin(response, 200, '[{"id": "')],
  [
    "sends a byte at a time",
    (_, response) => {
      begin(response, 200, "[");
      timers.add(setInterval(() => response.write(" "), 50));
    },
  ],
  ["sends an incomplete error response", (_, response) => begin(response, 503, '{"title": "')],
];

describe.each(hostile)("a service that %s", (_, listener) => {
  const calls: [string, (client: Client) => Promise<unknown>][] = [
    ["a GET request", (client) => client.ask(client.api.GET("/service"))],
    ["a text", (client) => client.ask(client.api.GET("/service", { parseAs: "text" }))],
    ["a POST request", post],
    ["a list", list],
  ];
  it.each(calls)("does not block %s: it ends with an error", async (_, call) => {
    const client = await clientOf(listener);
    await expect(call(client)).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(/^The service cannot be reached at .* \(no complete answer within 0 s\)/),
    });
  });
});

// Compares durations of some 100 ms.
it("a request that may take longer has its own time limit and reports what it waits for", {
  tags: "extended",
}, async () => {
  const slow = await clientOf((request, response) => {
    request.resume();
    setTimeout(() => response.end('{"a": 1}'), request.url === "/service" ? 0 : 3 * LIMITS.answerMs);
  });
  await expect(post(slow)).rejects.toMatchObject({ exitCode: 3 });
  const said: string[] = [];
  const wait = { answerMs: 10 * LIMITS.answerMs, noteMs: LIMITS.answerMs, note: () => void said.push("waiting") };
  expect(await postLong(slow, wait)).toEqual({ a: 1 });
  const response = await slow.stream("/x", {}, new AbortController().signal, wait);
  expect(await response.text()).toBe('{"a": 1}');
  expect(said).toEqual(["waiting", "waiting"]);
  // Any response shows that the service can be reached.
  server?.close();
  const hidden = await clientOf(({ url }, response) =>
    url === "/service" ? response.writeHead(404).end("Not Found") : response.end('{"a": 1}'),
  );
  expect(await postLong(hidden, wait)).toEqual({ a: 1 });
  // The long request is not sent to a service that does not respond.
  server?.close();
  const silent = await clientOf(() => undefined);
  await expect(postLong(silent, wait)).rejects.toMatchObject({ exitCode: 3 });
  expect(said).toHaveLength(2);
  // No note for a fast response.
  server?.close();
  const quick = await clientOf((_, response) => void response.end("{}"));
  await postLong(quick, { ...wait, noteMs: 200 });
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(said).toHaveLength(2);
});

it("a request for which the service lists a bucket waits as long as the service does, and no longer", {
  tags: "extended",
}, async () => {
  const limits = { ...LIMITS, answerMs: 3_000, sourceMs: 500 };
  const listener =
    (listingTimeout: number): RequestListener =>
    (request, response) => {
      request.resume();
      if (request.url === "/service") response.end(JSON.stringify({ listingTimeout }));
      else setTimeout(() => response.end("{}"), 3_000);
    };
  const wait = { answerMs: 0, noteMs: 10_000, note: () => undefined };
  expect(await postLong(await clientOf(listener(60), limits), wait)).toEqual({});
  server?.close();
  await expect(postLong(await clientOf(listener(1), limits), wait)).rejects.toMatchObject({ exitCode: 3 });
});

it("a request that may have arrived is distinguished from a request that was not sent or was rejected", {
  tags: "extended",
}, async () => {
  const isUnsure = async (client: Client) => isUncertain(await post(client).catch((error: unknown) => error));
  const answers: [boolean, (request: IncomingMessage, response: ServerResponse) => void][] = [
    [true, () => undefined],
    [true, ({ socket }) => socket.resetAndDestroy()],
    [true, ({ socket }) => socket.end()],
    [true, (_, response) => response.writeHead(502).end("Bad Gateway")],
    [true, (_, response) => response.writeHead(504).end("Gateway Timeout")],
    [false, (_, response) => response.writeHead(503).end(JSON.stringify({ title: "Full", code: "overloaded" }))],
    [false, (_, response) => response.writeHead(404).end("Not Found")],
  ];
  for (const [expected, answer] of answers) {
    expect(await isUnsure(await clientOf(answer, PATIENT)), answer.toString()).toBe(expected);
    server?.closeAllConnections();
    server?.close();
  }
  expect(await isUnsure(new Client("http://127.0.0.1:1", undefined, LIMITS))).toBe(false);
});

it("an endless response is aborted and not kept in memory", async () => {
  const client = await clientOf((_, response) => {
    begin(response, 200, "[");
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(1 << 16)));
    };
    response.on("drain", more);
    more();
  }, PATIENT);
  await expect(client.ask(client.api.GET("/service"))).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining("a response is longer than"),
  });
});

it("a stream must start within the time limit and may then take longer", { tags: "extended" }, async () => {
  const slow = await clientOf((_, response) => {
    begin(response, 200, "a");
    setTimeout(() => response.end("b"), 1.2 * PATIENT.answerMs);
  }, PATIENT);
  const response = await slow.stream("/x", {}, new AbortController().signal);
  expect(await response.text()).toBe("ab");
  server?.close();
  const silent = await clientOf(() => undefined);
  await expect(silent.stream("/x", {}, new AbortController().signal)).rejects.toMatchObject({ exitCode: 3 });
});

it("a list whose pages link to each other in a circle ends with an error", async () => {
  const client = await clientOf((request, response) => {
    const cursor = new URL(request.url ?? "", "http://x").searchParams.get("cursor") === "a" ? "b" : "a";
    response.writeHead(200, { "content-type": "application/json", link: `</x?cursor=${cursor}>; rel="next"` });
    response.end("[1]");
  });
  await expect(list(client)).rejects.toMatchObject({
    message: expect.stringContaining("repeats a page of the list"),
  });
});
