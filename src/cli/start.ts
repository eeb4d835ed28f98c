import { readFileSync } from "node:fs";
import type { Running, Service, StopReason } from "../main/start.ts";
import type { Config } from "../platform/config/config.ts";
import { keepMemoryPrivate, nodeSwitches } from "./private-memory.ts";
import { Failure, INTERRUPTED, reasonOf } from "./terminal/failure.ts";
import { show } from "./terminal/text.ts";

/** Minimum limit of open files: about a hundred for the embedded database, and the connections to sources and clients. */
const OPEN_FILES = 256;

const OWN_RIGHTS = 0o700;

/** Signals within this time (ms) count as one: a terminal signals npm and this process, and npm forwards its signal. */
const DUPLICATE_SIGNAL_MS = 1_000;

/**
 * Starts the service.
 *
 * @throws Failure 1 that states in a sentence why it cannot start
 */
export async function start(config: Config): Promise<Service> {
  return begin("service", config, async () => (await import("../main/start.ts")).startService(config));
}

/** Starts a worker, otherwise like {@link start}. */
export async function startWorker(config: Config): Promise<Running> {
  return begin("worker", config, async () => (await import("../main/start.ts")).startWorker(config));
}

/** @param load imports the service lazily, because loading it takes a second and client commands do not need it */
async function begin<Started>(what: string, config: Config, load: () => Promise<Started>): Promise<Started> {
  keepMemoryPrivate(nodeSwitches(process.env));
  return explainFailureOf(`The ${what} cannot start`, config, load);
}

/**
 * Runs work on the data folder and the database.
 *
 * @param failed the beginning of the error message, before the reason
 * @throws Failure 1 that states the error in a sentence
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
 * Returns a signal that is aborted by the first SIGINT, SIGTERM or SIGHUP (a closed terminal). A later one ends the process
 * immediately. A second signal right after the first is ignored, because npm forwards a signal that the terminal has already
 * sent to the whole process group.
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

/** Returns a function that logs that the process stops. */
export function announceStop(log: { info(message: string): void }): () => void {
  return () => log.info("Stopping; a second signal ends the process at once");
}

const STOP_REASONS: Record<StopReason, string> = {
  "newer version": "A newer version migrates the database, so this process stops. Start the newer version",
  "other process":
    "Another process migrates or rebuilds the database, so this process stops. Start it again when the other one has ended",
  "older than the archive":
    "The archive has changes that the database does not know: it was replaced by an older one, so this process stops. Run “accession rebuild”",
};

/**
 * Starts a service or a worker and runs it until a signal, which can also end the start, or until the process must stop using the
 * database: then the exit code is 1, so that the supervisor starts the process again, with the newer version if it is installed.
 */
export async function runUntilStopped<Started extends Running>(
  config: Config,
  starting: (config: Config) => Promise<Started>,
  announce: (running: Started) => Promise<void> | void,
): Promise<void> {
  const { openLog } = await import("../platform/telemetry/log.ts");
  const log = openLog(config.logLevel);
  const stop = stopSignal(announceStop(log));
  const running = await starting(config).catch((error: unknown) => {
    if (!stop.aborted) throw error;
    process.exitCode = INTERRUPTED;
    return undefined;
  });
  if (running === undefined) return;
  await announce(running);
  const mustStop = running.mustStop.then((reason) => {
    if (stop.aborted) return;
    log.warn(STOP_REASONS[reason]);
    process.exitCode = 1;
  });
  await Promise.race([aborted(stop), mustStop]);
  await running.stop();
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function explain(error: NodeJS.ErrnoException, config: Config): string {
  const { code, syscall, path } = error;
  const [port, setting] =
    config.role === "worker" ? [config.metricsPort, "ACCESSION_METRICS_PORT"] : [config.port, "ACCESSION_PORT"];
  const address = `${config.host}:${port}`;
  if (code === "EADDRINUSE") return `${address} is in use. Stop the program that listens there, or set ${setting}.`;
  if (syscall === "listen" || code === "EADDRNOTAVAIL") {
    return `it cannot listen on ${address} (${reasonOf(error)}). Set ACCESSION_HOST and ${setting}.`;
  }
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `the disk of ${path ?? config.data} is full. Free some space, or set ACCESSION_DATA and ACCESSION_ARCHIVE to folders on another disk.`;
  }
  if (code === "EMFILE" || code === "ENFILE") {
    return `the limit of open files has been reached (${code}). Raise it with “ulimit -n 4096” in a shell, or LimitNOFILE=65536 in systemd.`;
  }
  if (code === "ERR_SQLITE_ERROR") {
    const files = `${config.data} and its files “lock” and “lock.pid”`;
    return `the data folder cannot be written. Give this user read and write access to ${files}, or set ACCESSION_DATA.`;
  }
  if (code === "EEXIST" && syscall === "mkdir") {
    return `${path} is not a folder. Move it, or set ACCESSION_DATA and ACCESSION_ARCHIVE to other folders.`;
  }
  if (path !== undefined && [config.secretKeyFile, config.signingKeyFile].includes(path)) {
    return `the key file ${path} cannot be read (${reasonOf(error)}). Make the user of the service its owner.`;
  }
  if (path !== undefined) {
    return `${path} cannot be used (${reasonOf(error)}). Give this user read and write access to it, or set ACCESSION_DATA and ACCESSION_ARCHIVE to other folders.`;
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
 * Ensures that the process may open enough files, and that it may use the files and folders that it creates, regardless of
 * the umask.
 *
 * @throws Failure 1 that states which limit to raise
 */
function prepareProcess(): void {
  process.umask(process.umask() & ~OWN_RIGHTS);
  const limit = openFilesLimit();
  if (limit >= OPEN_FILES) return;
  throw new Failure(
    1,
    show`The process may open only ${limit} files, but needs at least ${OPEN_FILES}. Raise the limit with “ulimit -n 4096” in the shell, or LimitNOFILE=65536 in a systemd unit.`,
  );
}

/** Returns the limit of open files; infinity if unknown. Node has already raised the soft limit to the hard one. */
function openFilesLimit(): number {
  if (process.platform !== "linux") return Number.POSITIVE_INFINITY;
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    // Without /proc the limit is unknown. The system reports an error when it is reached.
    return Number.POSITIVE_INFINITY;
  }
}
