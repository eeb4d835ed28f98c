import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { lockFolder } from "../../src/platform/database/lock.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { freePort, isListening } from "../support/network/ports.ts";
import { programEnv } from "../support/program/program.ts";

const root = join(import.meta.dirname, "../..");
/** A process ends within ten seconds of a stop signal (docs/operating.md). */
const GRACE_MS = 10_000;

/** Whether the signal is sent to npm only, as by a supervisor, or to all its processes, as by a terminal. */
type To = "npm" | "all";

const toNpm = (child: ChildProcess, signal: NodeJS.Signals) => child.kill(signal);
const toAll = (child: ChildProcess, signal: NodeJS.Signals) => process.kill(-(child.pid ?? 0), signal);

test.each<[string, NodeJS.Signals, To]>([
  ["start", "SIGTERM", "npm"],
  // npm forwards a signal that the service has already received.
  ["start", "SIGINT", "all"],
  ["run accession -- serve", "SIGHUP", "all"],
  ["run demo", "SIGTERM", "npm"],
])("npm %s ends its service at %s to %s", { tags: "extended" }, async (script, signal, to) => {
  const data = await createDataFolder();
  const port = await freePort();
  const child = spawn("npm", ["--no-update-notifier", ...script.split(" ")], {
    cwd: root,
    env: { ...programEnv(), HOME: data, ACCESSION_DATA: data, ACCESSION_PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group, as in a terminal.
    detached: true,
  });
  let said = "";
  let log = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  try {
    const isUp = () => /the service is up/.test(log) || /The service runs until/.test(said);
    await vi.waitUntil(() => isUp() || child.exitCode !== null, { timeout: 150_000, interval: 100 });
    expect(await isListening(port), said + log).toBe(true);
    const gone = once(child, "exit");
    (to === "npm" ? toNpm : toAll)(child, signal);
    await vi.waitUntil(async () => !(await isListening(port)), { timeout: GRACE_MS, interval: 50 });
    await gone;
    // The lock of the data folder is released too.
    await vi.waitUntil(() => canLock(data), { timeout: GRACE_MS, interval: 50 });
    const lines = log.split("\n").filter((line) => line.includes("Stopping"));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 30, msg: "Stopping; a second signal ends the process at once" }),
    ]);
  } finally {
    try {
      toAll(child, "SIGKILL");
    } catch {
      // No process of it is running.
    }
    await rm(data, { recursive: true, force: true });
  }
});

function canLock(data: string): boolean {
  try {
    lockFolder(data)();
    return true;
  } catch {
    return false;
  }
}
