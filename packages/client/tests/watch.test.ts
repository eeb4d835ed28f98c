import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import {
  type Client,
  createClient,
  type News,
  type Submission,
  type SubmissionEvent,
  type SubmissionState,
  watch,
} from "../src/index.ts";
import { readMessages } from "../src/stream.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function clientOf(listener: RequestListener): Promise<Client> {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const event = (id: number): SubmissionEvent =>
  ({ id, at: "2026-01-01T00:00:00Z", attempt: 1, type: "note", message: `${id}` }) as unknown as SubmissionEvent;
const state = (status: SubmissionState["status"]) => ({ status, attempt: 1, progress: {} }) as SubmissionState;
const message = (id: number) => `id: ${id}\nevent: note\ndata: ${JSON.stringify(event(id))}\n\n`;

async function heard(client: Client): Promise<News[]> {
  const found: News[] = [];
  for await (const news of watch(client, "x")) {
    found.push(news);
    if ("state" in news && news.state.status === "completed") return found;
  }
  return found;
}

it("continues after a broken stream, and returns every event once", async () => {
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
    // The poll after the interruption returns an event that the next stream repeats. The last event is read at the end.
    const after = Number(new URL(request.url ?? "", "http://x").searchParams.get("after"));
    const all = events ? [1, 2, 3, ...(polls++ > 0 ? [4, 5] : [])].filter((id) => id > after).map(event) : [];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(events ? all : (state("transferring") as Submission)));
  });
  const news = await heard(client);
  expect(news.flatMap((one) => ("event" in one ? [one.event.id] : []))).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual(["0", "3"]);
  expect(news.at(-1)).toEqual({ state: state("completed") });
});

it("polls if streams are not available", async () => {
  let polls = 0;
  const client = await clientOf((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url?.includes("/events")) response.end(JSON.stringify(polls === 1 ? [event(1)] : []));
    else response.end(JSON.stringify(state(polls++ === 0 ? "listing" : "completed")));
  });
  const news = await heard(client);
  expect(news).toEqual([{ event: event(1) }, { state: state("listing") }, { state: state("completed") }]);
});

it("reads a log of any length to its end", async () => {
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

it("endlessly repeated events do not block a watch", async () => {
  const events = Array.from({ length: 1_000 }, (_, n) => ({ id: n + 1, attempt: 1, type: "note", message: "" }));
  const client = await clientOf((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.url?.includes("/events") ? events : { status: "completed" }));
  });
  const states: unknown[] = [];
  for await (const news of watch(client, "x")) {
    if (!("state" in news)) continue;
    states.push(news.state.status);
    break;
  }
  expect(states).toEqual(["completed"]);
});

it("reports at once that the service is not available, and tries again", async () => {
  const news = watch(createClient({ baseUrl: "http://127.0.0.1:9" }), "x");
  expect((await news.next()).value).toMatchObject({ away: expect.any(TypeError) });
  expect((await news.next()).value).toMatchObject({ away: expect.any(Error) });
  await news.return();
});

it("fails at once with the service's refusal, and with the reason of its signal", async () => {
  const problem = { title: "Not found", status: 404, code: "not_found", detail: "The submission does not exist." };
  const client = await clientOf((_, response) => response.writeHead(404).end(JSON.stringify(problem)));
  await expect(watch(client, "x").next()).rejects.toMatchObject({ problem });
  const signal = AbortSignal.abort(new Error("no time"));
  await expect(watch(client, "x", { signal }).next()).rejects.toThrow("no time");
});

it("reads event streams in chunks of any size", async () => {
  const text = ": hello\r\nid: 1\r\ndata: Grün\r\ndata: zwei\r\n\r\nevent: x\ndata:y\n\nid: 9\n\n";
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.slice(n * size, (n + 1) * size),
    );
    const found = await Array.fromAsync(readMessages(ReadableStream.from(chunks)));
    expect(found).toEqual([
      { id: "1", event: undefined, data: "Grün\nzwei" },
      { id: undefined, event: "x", data: "y" },
    ]);
  }
});
