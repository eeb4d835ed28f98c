import { readFileSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { Running, Service } from "../main/start.ts";
import { keepMemoryPrivate, nodeSwitches } from "./private-memory.ts";
import { Failure, INTERRUPTED, reasonOf } from "./terminal/failure.ts";
import { show } from "./terminal/text.ts";

/** The embedded database has about a hundred files open, and connections to sources and callers come on top. */
const OPEN_FILES = 256;

const OWN_RIGHTS = 0o700;

/** Signals within this time (ms) count as one: a terminal signals npm and this process, and npm passes on its own. */
const DUPLICATE_SIGNAL_MS = 1_000;

/**
 * Starts the service.
 *
 * @throws Failure 1 that says in a sentence what keeps it from starting
 */
export async function start(config: Config): Promise<Service> {
  return begin("service", config, async () => (await import("../main/start.ts")).startService(config));
}

/** Starts a worker; otherwise as {@link start}. */
export async function startWorker(config: Config): Promise<Running> {
  return begin("worker", config, async () => (await import("../main/start.ts")).startWorker(config));
}

/** @param load imports what it starts: client commands need none of it and would wait a second for it */
async function begin<Started>(what: string, config: Config, load: () => Promise<Started>): Promise<Started> {
  keepMemoryPrivate(nodeSwitches(process.env));
  return explainFailureOf(`The ${what} cannot start`, config, load);
}

/**
 * Does what works on data folder and database.
 *
 * @param failed what to say when it cannot be done, before the reason
 * @throws Failure 1 that says so in a sentence
 */
export async function explainFailureOf<T>(failed: string, config: Config, work: () => Promise<T>): Promise<T> {
  prepareProcess();
  try {
    return await work();
  } catch (error) {
    throw new Failure(1, show`${failed}: ${explain(error as NodeJS.ErrnoException, config)}`, { cause: error });
  }
}

/**
 * Aborts at the first SIGINT, SIGTERM, or SIGHUP (a closed terminal); a later one ends the process at once. A
 * signal right after the first is ignored: npm forwards what the terminal has already sent to the whole process group.
 */
export function stopSignal(announce: () => void): AbortSignal {
  const stop = new AbortController();
  let first: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    first ??= now;
    if (stop.signal.aborted) {
      if (now - first > DUPLICATE_SIGNAL_MS) process.exit(INTERRUPTED);
      return;
    }
    stop.abort();
    announce();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  return stop.signal;
}

/** Says in the log, which is JSON, that the process stops. */
export function announceStop(log: { info(message: string): void }): () => void {
  return () => log.info("Stopping; a second signal ends the process at once");
}

/** Returns what was started; undefined if the start failed after a stop signal, which is no failure. */
export async function unlessStopped<Started>(
  stop: AbortSignal,
  starting: Promise<Started>,
): Promise<Started | undefined> {
  try {
    return await starting;
  } catch (error) {
    if (!stop.aborted) throw error;
    process.exitCode = INTERRUPTED;
    return undefined;
  }
}

/** Resolves when the signal says so. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function explain(error: NodeJS.ErrnoException, config: Config): string {
  const { code, syscall, path } = error;
  const [port, setting] =
    config.role === "worker" ? [config.metricsPort, "ACCESSION_METRICS_PORT"] : [config.port, "ACCESSION_PORT"];
  const address = `${config.host}:${port}`;
  if (code === "EADDRINUSE") return `${address} is in use; stop what listens there, or set ${setting}.`;
  if (syscall === "listen" || code === "EADDRNOTAVAIL") {
    return `it may not listen on ${address} (${reasonOf(error)}); set ACCESSION_HOST and ${setting}.`;
  }
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `the disk of ${path ?? config.data} is full; free some space, or set ACCESSION_DATA and ACCESSION_ARCHIVE to folders on another disk.`;
  }
  if (code === "EMFILE" || code === "ENFILE") {
    return `it may not open more files (${code}); raise the limit: “ulimit -n 4096” in a shell, or LimitNOFILE=65536 for systemd.`;
  }
  if (code === "ERR_SQLITE_ERROR") {
    const files = `${config.data} and its files “lock” and “lock.pid”`;
    return `the data folder cannot be written: give this user read and write access to ${files}, or set ACCESSION_DATA.`;
  }
  if (code === "EEXIST" && syscall === "mkdir") {
    return `${path} is not a folder; move it away, or set ACCESSION_DATA and ACCESSION_ARCHIVE to other folders.`;
  }
  if (path !== undefined) {
    return `${path} cannot be used (${reasonOf(error)}); give this user read and write access to it, or set ACCESSION_DATA and ACCESSION_ARCHIVE to other folders.`;
  }
  if (config.databaseUrl !== undefined && isOfNetwork(error)) {
    return `the database of ACCESSION_DATABASE_URL cannot be reached (${reasonOf(error)}).`;
  }
  return withStop(error.message === "" ? reasonOf(error) : error.message);
}

function isOfNetwork(error: NodeJS.ErrnoException): boolean {
  return error instanceof AggregateError || error.syscall === "connect" || error.syscall === "getaddrinfo";
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/**
 * Makes sure that the process can work at all: it may open enough files, and may use the files and folders that it makes
 * itself, whatever umask it was started with.
 *
 * @throws Failure 1 that says which limit to raise
 */
function prepareProcess(): void {
  process.umask(process.umask() & ~OWN_RIGHTS);
  const limit = openFilesLimit();
  if (limit >= OPEN_FILES) return;
  throw new Failure(
    1,
    show`The process may open only ${limit} files, and ${OPEN_FILES} are needed at least: “ulimit -n 4096” in the shell raises the limit, or LimitNOFILE=65536 in a unit of systemd.`,
  );
}

/** Infinity where the system does not say it. Node has raised the soft limit to the hard one by now. */
function openFilesLimit(): number {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    // Without /proc the limit is unknown; the system reports an error when it is reached.
    return Number.POSITIVE_INFINITY;
  }
}
