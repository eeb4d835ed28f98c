import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { EventView, State, Submission } from "./api.ts";
import { Client } from "./client.ts";
import { follow, type News } from "./follow.ts";
import { readMessages } from "./sse.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function clientOf(listener: RequestListener): Promise<Client> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const event = (id: number): EventView => ({
  id,
  at: "2026-01-01T00:00:00Z",
  attempt: 1,
  type: "note",
  message: `${id}`,
});
const state = (status: State["status"]) => ({ status, attempt: 1, progress: {} }) as State;
const message = (id: number) => `id: ${id}\nevent: note\ndata: ${JSON.stringify(event(id))}\n\n`;

async function heard(client: Client): Promise<News[]> {
  const found: News[] = [];
  for await (const news of follow(client, "x", new AbortController().signal)) {
    found.push(news);
    if ("state" in news && news.state.status === "completed") return found;
  }
  return found;
}

it("goes on where a broken stream ended, and names every event once", async () => {
  const asked: (string | undefined)[] = [];
  let polls = 0;
  const client = await clientOf((request, response) => {
    if (request.headers.accept === "text/event-stream") {
      asked.push(request.headers["last-event-id"] as string | undefined);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`retry: 1000\n\n${asked.length === 1 ? message(1) + message(2) : message(3) + message(4)}`);
      if (asked.length === 1) setTimeout(() => response.destroy(), 50);
      else response.write(`event: progress\ndata: ${JSON.stringify(state("completed"))}\n\n`);
      return;
    }
    const events = request.url?.includes("/events");
    // The poll after the break brings an event that the next stream brings again; the last one comes by the drain.
    const after = Number(new URL(request.url ?? "", "http://x").searchParams.get("after"));
    const all = events ? [1, 2, 3, ...(polls++ > 0 ? [4, 5] : [])].filter((id) => id > after).map(event) : [];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(events ? all : (state("transferring") as Submission)));
  });
  const news = await heard(client);
  expect(news.flatMap((one) => ("event" in one ? [one.event.id] : []))).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual([undefined, "3"]);
  expect(news.at(-1)).toEqual({ state: state("completed") });
});

it("polls where streams do not come through", async () => {
  let polls = 0;
  const client = await clientOf((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url?.includes("/events")) response.end(JSON.stringify(polls === 0 ? [event(1)] : []));
    else response.end(JSON.stringify(state(polls++ === 0 ? "listing" : "completed")));
  });
  const news = await heard(client);
  expect(news).toEqual([{ event: event(1) }, { state: state("listing") }, { state: state("completed") }]);
});

it("reads a log to its end, however long it is", async () => {
  const all = Array.from({ length: 2_500 }, (_, index) => event(index + 1));
  const client = await clientOf((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
    const after = Number(searchParams.get("after"));
    const page = all.slice(after, after + Number(searchParams.get("limit") ?? 1_000));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(pathname.endsWith("/events") ? page : state("completed")));
  });
  const news = await heard(client);
  expect(news).toEqual([...all.map((one) => ({ event: one })), { state: state("completed") }]);
});

it("fails at once when there is no service", async () => {
  const client = new Client("http://127.0.0.1:9");
  await expect(heard(client)).rejects.toMatchObject({ exitCode: 3 });
});

async function* arriving(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

it("reads event streams however they are cut", async () => {
  const text = ": hello\r\nid: 1\r\ndata: Grün\r\ndata: zwei\r\n\r\nevent: x\ndata:y\n\nid: 9\n\n";
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    );
    const found = await Array.fromAsync(readMessages(arriving(chunks)));
    expect(found).toEqual([
      { id: "1", event: "message", data: "Grün\nzwei" },
      { id: undefined, event: "x", data: "y" },
    ]);
  }
});
