import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Response times of ordinary requests, in milliseconds. */
export interface ResponseTimes {
  requests: number;
  failed: number;
  p50: number;
  p99: number;
  max: number;
}

const CONNECTIONS = 4;
const REST_MS = 5;

/** Requests a list of submissions on four connections. @param isOver asked after each response */
export async function measureResponses(url: string, isOver: () => boolean): Promise<ResponseTimes> {
  const times: number[] = [];
  let failed = 0;
  const ask = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    do {
      const since = performance.now();
      if ((await get(`${url}/submission`, agent)) !== 200) failed++;
      times.push(performance.now() - since);
      await sleep(REST_MS);
    } while (!isOver());
    agent.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { requests: times.length, failed, p50: at(0.5), p99: at(0.99), max: at(1) };
}

function get(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    request(url, { agent }, (response) => response.resume().once("end", () => resolve(response.statusCode ?? 0)))
      .once("error", () => resolve(0))
      .end();
  });
}
