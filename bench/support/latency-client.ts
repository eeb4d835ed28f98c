/**
 * The clients of `bench:latency`, in a separate process. It sends requests until its standard input ends, and then prints
 * the response times. Its argument describes the requests as JSON.
 */
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** A request that is repeated. With `body`, it is a POST request. */
export interface Call {
  name: string;
  path: string;
  body?: object;
  expected: number;
}

export interface Asked {
  url: string;
  /** Number of parallel loops, each with a separate connection. */
  connections: number;
  /** Requests of a loop, sent one after the other. */
  calls: Call[];
  /** Pause after each round of a loop. */
  pauseMs: number;
}

/** Milliseconds from sending the request to the last byte of the response. */
export interface Latency {
  count: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
}

const asked = JSON.parse(process.argv[2] ?? "{}") as Asked;
const agent = new Agent({ keepAlive: true, maxSockets: asked.connections });
const samples = new Map<string, number[]>(asked.calls.map(({ name }) => [name, []]));
/** Additional time of the last request of a round compared with its first. */
const differences: number[] = [];
let ended = false;
process.stdin.resume().once("end", () => {
  ended = true;
});

await Promise.all(Array.from({ length: asked.connections }, ask));
agent.destroy();
const found: [string, Latency][] = [...samples].map(([name, taken]) => [name, summary(taken)]);
if (asked.calls.length > 1) found.push(["difference", summary(differences)]);
console.log(JSON.stringify(Object.fromEntries(found)));

async function ask(): Promise<void> {
  while (!ended) {
    const turn: number[] = [];
    for (const call of asked.calls) {
      const since = performance.now();
      await answer(call);
      turn.push(performance.now() - since);
      samples.get(call.name)?.push(turn.at(-1) ?? 0);
    }
    differences.push(Math.max(0, (turn.at(-1) ?? 0) - (turn[0] ?? 0)));
    if (asked.pauseMs > 0) await sleep(asked.pauseMs);
  }
}

async function answer({ path, body, expected }: Call): Promise<void> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const call = request(asked.url + path, {
    agent,
    method: body === undefined ? "GET" : "POST",
    ...(body !== undefined && {
      // Identical requests must become separate submissions.
      headers: {
        "accession-repeat": "true",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      },
    }),
  });
  call.end(text);
  const [reply] = await once(call, "response");
  let said = "";
  for await (const part of reply.setEncoding("utf8")) said += part;
  if (reply.statusCode !== expected) throw new Error(`${path} answered ${reply.statusCode}: ${said}`);
}

function summary(taken: number[]): Latency {
  const sorted = taken.sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}
