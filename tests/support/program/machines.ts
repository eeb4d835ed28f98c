import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadSecretKey } from "../../../src/archive/receipts/key-file.ts";
import { loadSigningKey } from "../../../src/archive/receipts/signing.ts";
import { type Program, startProgram, startWorker, type Worker } from "./program.ts";

/** Processes that simulate several machines: they share a database and an archive, and have separate data folders. */
export interface Machines extends AsyncDisposable {
  folder: string;
  archive: string;
  api(settings?: Record<string, string>): Promise<Program>;
  worker(settings?: Record<string, string>): Promise<Worker>;
  /** The logs of all processes. */
  logs(): string[];
}

/** @param database URL of the shared database */
export async function openMachines(database: string, options: { module?: string } = {}): Promise<Machines> {
  const folder = await mkdtemp(join(tmpdir(), "accession-machines-"));
  const keys = { secret: join(folder, "secret.key"), signing: join(folder, "signing.key") };
  await loadSecretKey(keys.secret, { make: true });
  await loadSigningKey(keys.signing, { make: true });
  const archive = join(folder, "archive");
  const shared = {
    ACCESSION_DATABASE_URL: database,
    ACCESSION_ARCHIVE: archive,
    ACCESSION_SECRET_KEY_FILE: keys.secret,
    ACCESSION_SIGNING_KEY_FILE: keys.signing,
    ACCESSION_DISK_RESERVE: "1MiB",
    ACCESSION_ALLOW_NETWORKS: "127.0.0.0/8",
  };
  const running: Worker[] = [];
  let workers = 0;
  const dataOf = async (name: string) => {
    const data = join(folder, name);
    await mkdir(data, { recursive: true, mode: 0o700 });
    return data;
  };
  return {
    folder,
    archive,
    async api(settings = {}) {
      const api = await startProgram(await dataOf("api"), { ...shared, ACCESSION_ROLE: "api", ...settings }, options);
      running.push(api);
      return api;
    },
    async worker(settings = {}) {
      const data = await dataOf(`worker-${++workers}`);
      const worker = await startWorker(
        data,
        { ...shared, ACCESSION_PUBLIC_URL: "http://127.0.0.1", ...settings },
        options,
      );
      running.push(worker);
      return worker;
    },
    logs: () => running.map(({ log }) => log()),
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((one) => one.end("SIGKILL")));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
