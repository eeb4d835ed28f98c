/** @module-tag extended */
import { rm, writeFile } from "node:fs/promises";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../support/program/run-command.ts";

/** Maximum time that a command may wait for a service that does not respond correctly. */
const PATIENCE_MS = 25_000;

const dripping = new Set<NodeJS.Timeout>();
function drip(response: ServerResponse, text: string, everyMs: number): void {
  dripping.add(setInterval(() => response.write(text), everyMs));
}

/** Services that block clients, by how they respond to every request. */
const services: Record<string, (response: ServerResponse) => void> = {
  "never answers": () => undefined,
  "sends a byte each second": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    drip(response, " ", 1_000);
  },
};

const commands: Record<string, string[]> = {
  list: ["list"],
  watch: ["watch", "0198f0c2-5d4e-7aaa-8000-6f1c3b9a2d10"],
  preview: ["preview", "https://s3.example.org", "bucket"],
  export: ["export", "7f3c9c1e-0000-4000-8000-000000000000", "--format", "bagit", "--output", "-"],
  "dataset get": ["dataset", "get", "7f3c9c1e-0000-4000-8000-000000000000", "data/a.csv", "--output", "-"],
};

/** Commands that may have an effect without a response. Their errors state how to check. */
const submission = join(tmpdir(), `accession-limits-${process.pid}.json`);
const lasting: Record<string, string[]> = {
  submit: ["submit", "https://s3.example.org", "bucket", "--metadata", submission],
};

interface Held {
  url: string;
  server: Server;
  /** Duration of each connection, from its first request. */
  heldMs: number[];
}

async function start(answer: (response: ServerResponse) => void): Promise<Held> {
  const heldMs: number[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const since = performance.now();
    request.resume();
    request.socket.once("close", () => heldMs.push(performance.now() - since));
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, heldMs };
}

const started = new Map<string, Held>();
beforeAll(async () => {
  await writeFile(submission, '{"title": "x"}');
  for (const [name, answer] of Object.entries(services)) started.set(name, await start(answer));
});
afterAll(async () => {
  await rm(submission, { force: true });
  for (const timer of dripping) clearInterval(timer);
  for (const { server } of started.values()) {
    server.closeAllConnections();
    server.close();
  }
});

describe.each(Object.keys(services))("a service that %s", (name) => {
  test("blocks no command for more than 25 seconds", async () => {
    const { url, heldMs } = started.get(name) ?? { url: "", heldMs: [] };
    const env = { ACCESSION_URL: url, ACCESSION_ACCESS_KEY: "AK", ACCESSION_SECRET_KEY: "secret" };
    // A download continues while bytes arrive, even slowly.
    const held = Object.entries({ ...commands, ...lasting }).filter(
      ([verb]) => name === "never answers" || verb !== "dataset get",
    );
    const runs = held.map(async ([verb, args]) => {
      const { code, stderr } = await runCommand(args, join(tmpdir(), "no-data-folder"), { env });
      return { verb, code, stderr };
    });
    for (const { verb, code, stderr } of await Promise.all(runs)) {
      expect([1, 3], `${verb}: ${stderr}`).toContain(code);
      expect(stderr, verb).toMatch(/no complete answer within|sent nothing/);
      if (verb in lasting) expect(stderr).toMatch(/may have accepted the submission.* list\n/);
    }
    expect(Math.max(...heldMs)).toBeLessThan(PATIENCE_MS);
    expect(heldMs.length).toBeGreaterThanOrEqual(held.length);
  });
});
