import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../network/ports.ts";

const run = promisify(execFile);
const INSTALLED = "/usr/lib/postgresql";
export const INSTALL_POSTGRES = "apt-get install -y postgresql";

/** A separate PostgreSQL server on loopback. */
export interface Postgres {
  /** URL of the server's administrative database. */
  url: string;
  /** Stops the server with open connections and starts it again on the same port. `meanwhile` runs in between. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of the newest installed server's programs; undefined if none is installed. */
export function postgresPrograms(): string | undefined {
  if (!existsSync(INSTALLED)) return undefined;
  const versions = readdirSync(INSTALLED).filter((name) => existsSync(join(INSTALLED, name, "bin/initdb")));
  const newest = versions.toSorted((a, b) => Number(a) - Number(b)).at(-1);
  return newest === undefined ? undefined : join(INSTALLED, newest, "bin");
}

/**
 * Starts a server with a new folder. Without `durable`, it does not flush writes to the disk, which is faster but loses
 * data if the machine fails.
 */
export async function startPostgres({ durable = false } = {}): Promise<Postgres> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error(`PostgreSQL is not installed: ${INSTALL_POSTGRES}`);
  const folder = await mkdtemp(join(tmpdir(), "accession-postgres-"));
  const user = await unprivileged();
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
  const init = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"];
  await run(join(programs, "initdb"), init, { ...user, env, cwd: folder });
  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    ...(!durable && { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    log_min_messages: "fatal",
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const start = async () => {
    const child = spawn(join(programs, "postgres"), ["-D", data, ...args], {
      ...user,
      env,
      cwd: folder,
      stdio: "ignore",
    });
    await waitUntilReady(url, child);
    return child;
  };
  let child = await start();
  const end = async (signal: NodeJS.Signals) => {
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  return {
    url,
    async restart(meanwhile) {
      await end("SIGINT");
      await meanwhile?.();
      child = await start();
    },
    async stop() {
      await end("SIGQUIT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Creates and drops databases of a server, given the URL of its administrative database. */
export const postgresAdmin = {
  /** Creates a database as a copy of a template. Copying its files is faster than writing them to the log. Returns its name. */
  async create(server: string, template = "template0", name = freshName()): Promise<string> {
    await execute(server, `create database ${name} template ${template} strategy file_copy`);
    return name;
  },
  urlOf: (server: string, name: string): string => server.replace(/postgres$/, name),
  drop: (server: string, name: string): Promise<void> =>
    execute(server, `drop database if exists ${name} with (force)`),
};

function freshName(): string {
  return `t_${randomUUID().replaceAll("-", "")}`;
}

async function execute(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The user that runs PostgreSQL, which refuses to run as root. */
async function unprivileged(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const numberOf = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout);
  return { uid: await numberOf("-u"), gid: await numberOf("-g") };
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + 30_000;
  while (Date.now() < until && child.exitCode === null) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error("PostgreSQL does not start");
}
