/**
 * The readers of `bench:reading`, in a separate process. It sends requests at fixed times, whether earlier ones were answered
 * or not, and measures each from the time at which it was due. Its argument describes the requests as JSON.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";

export interface Asked {
  /** Addresses that are requested in turn. */
  urls: string[];
  perSecond: number;
  seconds: number;
  connections: number;
}

/** Milliseconds from the time at which each request was due to the last byte of its response. */
export interface Answered {
  milliseconds: number[];
  /** Responses with another status than 200, and requests without a response. */
  failed: number;
}

const { urls, perSecond, seconds, connections } = JSON.parse(process.argv[2] ?? "{}") as Asked;
const dispatcher = new Agent({ connections, pipelining: 1 });
const answered: Answered = { milliseconds: [], failed: 0 };
const began = performance.now();
const sent: Promise<void>[] = [];
for (let number = 0; number < perSecond * seconds; number++) {
  const due = began + (number * 1_000) / perSecond;
  const early = due - performance.now();
  if (early > 1) await sleep(early);
  sent.push(ask(urls[number % urls.length] ?? "", due));
}
await Promise.all(sent);
await dispatcher.close();
console.log(JSON.stringify(answered));

async function ask(url: string, due: number): Promise<void> {
  try {
    const { statusCode, body } = await request(url, { dispatcher, headers: { accept: "text/html" } });
    await body.dump({ limit: Number.MAX_SAFE_INTEGER });
    if (statusCode !== 200) answered.failed += 1;
    answered.milliseconds.push(performance.now() - due);
  } catch {
    answered.failed += 1;
  }
}
