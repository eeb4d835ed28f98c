import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type Outcome, rebuildDatabase } from "../../src/main/database-commands.ts";
import { startService } from "../../src/main/start.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { programEnv } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote } from "../support/tools.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const program = fileURLToPath(new URL("../../src/cli/accession.ts", import.meta.url));

let s3: S3Server;
let service: TestService;
let dataset: string;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("small");
  s3.put("small", "a.csv", "a,b\n1,2\n");
  service = await startTestService();
  const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket: "small", ...keys });
  dataset = (await service.api.until(id, ["completed"])).dataset?.id ?? "";
});
afterAll(async () => {
  await service?.stop();
  await s3.close();
});

test("the log of a start names version and archive, and warns of what prevents all submissions or sign-ins", async () => {
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  const data = await createDataFolder();
  const messages = () => lines.map((line) => JSON.parse(line));
  try {
    const config = readConfig({
      ACCESSION_DATA: data,
      ACCESSION_PORT: "0",
      ACCESSION_DISK_RESERVE: "900TiB",
      ACCESSION_AUTH: "oidc",
      ACCESSION_OIDC_ISSUER: "http://127.0.0.1:9/realm",
      ACCESSION_OIDC_AUDIENCE: "accession",
    });
    const running = await startService(config, { log });
    await expect.poll(() => messages().map(({ msg }) => msg)).toContainEqual(expect.stringMatching(/sign-in fails/));
    await running.stop();
    const found = (text: RegExp) => messages().find(({ msg }) => text.test(msg));
    expect(found(/the service is up/)).toMatchObject({ version: "0.1.0", archive: join(data, "archive") });
    expect(found(/less space is free .* than ACCESSION_DISK_RESERVE/)).toMatchObject({ reserveBytes: 900 * 2 ** 40 });
    expect(found(/sign-in fails/)).toMatchObject({ issuer: "http://127.0.0.1:9/realm" });
  } finally {
    await rm(data, { recursive: true });
  }
});

/** Replaces the database by an empty one, which is copied from a template because its creation takes seconds. */
async function emptyDatabase(): Promise<void> {
  await service.recreateDatabase();
  await cp(inject("template"), service.data, { recursive: true });
}

const everything = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

/** @param seen is called for each outcome */
async function rebuild(signal = new AbortController().signal, seen: () => void = () => undefined): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const outcome = (one: Outcome) => {
    outcomes.push(one);
    seen();
  };
  const listener = { outcome, looking() {}, writing() {} };
  const settings = { ACCESSION_DATA: service.data, ...service.settings };
  await rebuildDatabase(readConfig(settings), listener, signal);
  return outcomes;
}

describe("a service does not start", () => {
  test("with an empty database and an archive with datasets, until the database is rebuilt", {
    tags: "extended",
  }, async () => {
    const before = await everything(service.archive);
    await expect(service.restart(emptyDatabase)).rejects.toThrow(
      /The database is empty, but the archive .* holds datasets.*accession rebuild/,
    );
    // The refused start does not count as the first use of the database.
    await expect(service.restart()).rejects.toThrow(/accession rebuild/);
    expect(await everything(service.archive)).toEqual(before);

    // A rebuild that writes nothing leaves the database unused.
    await expect(rebuild(AbortSignal.abort(new Error("interrupted")))).rejects.toThrow("interrupted");
    await expect(service.restart()).rejects.toThrow(/The database is empty/);
    expect(await rebuild()).toEqual([expect.objectContaining({ outcome: "taken_in", dataset })]);
    await service.restart();
    expect((await service.api.get(`/dataset/${dataset}`)).status).toBe(200);
  });

  test("with an archive folder whose file system is not mounted", { tags: "extended" }, async () => {
    const elsewhere = `${service.archive}-elsewhere`;
    const unmount = async () => {
      await rename(service.archive, elsewhere);
      await mkdir(service.archive);
    };
    await expect(service.restart(unmount)).rejects.toThrow(
      /The database has datasets, but the archive .* has none.*mounted/,
    );
    expect(await readdir(service.archive)).toEqual([]);
    await rm(service.archive, { recursive: true });
    await rename(elsewhere, service.archive);
    await service.restart();
    expect((await service.api.get(`/dataset/${dataset}`)).status).toBe(200);
  });

  test("with another archive than the one that its database was used with", async () => {
    const file = join(service.archive, "archive.json");
    const own = await readFile(file, "utf8");
    const other = JSON.stringify({ id: "0b0fbc4e-4e49-4a3b-9d4f-5b1c1b6f3a52" });
    await expect(service.restart(() => writeFile(file, other))).rejects.toThrow(
      /The database was used with another archive than .*its id is .* says 0b0fbc4e/,
    );
    await expect(service.restart(() => writeFile(file, "{"))).rejects.toThrow(/archive\.json is damaged.*backup/);
    // A copy of the archive without the file holds the datasets of the database.
    await service.restart(() => rm(file));
    expect(await readFile(file, "utf8")).toBe(own);
  });

  test("with an archive without the id, if the database has submissions and no datasets", async () => {
    await using early = await startTestService();
    const file = join(early.archive, "archive.json");
    // Without submissions, any archive may be chosen.
    await early.restart(() => rm(early.archive, { recursive: true }));
    // The check reads only the first object.
    s3.createBucket("held");
    for (const key of ["a", "b"]) s3.put("held", key, key);
    const held = s3.hold({ operation: "get", bucket: "held", key: "b" });
    const { id } = await early.api.submit({ endpoint: s3.endpoint, bucket: "held", ...keys });
    expect((await early.api.post(`/submission/${id}/cancel`)).status).toBe(202);
    held.release();
    const own = await readFile(file, "utf8");
    await expect(early.restart(() => rm(early.archive, { recursive: true }))).rejects.toThrow(
      /has no file archive\.json.*is mounted.*If a new archive is intended, write {"id":".*"}/,
    );
    await mkdir(early.archive);
    await writeFile(file, own);
    await early.restart();
  });

  test.each(["secret.key", "signing.key"])("without the %s that its database was used with", async (name) => {
    const file = join(service.data, name);
    await expect(service.restart(() => rename(file, `${file}-elsewhere`))).rejects.toThrow(
      new RegExp(`The key file .*${name} is missing.*Restore it`),
    );
    expect(existsSync(file)).toBe(false);
    await rename(`${file}-elsewhere`, file);
    await service.restart();
  });
});

describe("an embedded database that is damaged", () => {
  type Damage = (database: string) => Promise<void>;
  const damages: [[string, Damage], ...[string, Damage][]] = [
    ["without PG_VERSION", (database) => rm(join(database, "PG_VERSION"))],
    ["with an empty control file", (database) => truncate(join(database, "global/pg_control"), 0)],
    ["without its tables", (database) => rm(join(database, "base"), { recursive: true })],
  ];

  const [first, ...others] = damages;
  test(`${first[0]} is reported with the next step`, () => expectReported(first[1]));
  test.each(others)("%s is reported with the next step", { tags: "extended" }, (_, damage) => expectReported(damage));

  async function expectReported(damage: Damage): Promise<void> {
    const data = await createDataFolder();
    try {
      await damage(join(data, "database"));
      const starting = startService(readConfig({ ACCESSION_DATA: data, ACCESSION_PORT: "0" }));
      const { message } = await starting.then(
        () => expect.fail("It started"),
        (error: Error) => error,
      );
      expect(message).toMatch(
        new RegExp(
          `The embedded database in ${data}/database is damaged .*backup.*move the folder database away.*accession rebuild`,
        ),
      );
      // The message states the error of the database, not that its thread has ended.
      expect(message).not.toContain("(The embedded database has stopped)");
    } finally {
      await rm(data, { recursive: true });
    }
  }
});

interface Ended {
  code: number;
  stderr: string;
}

/** Runs `accession serve` through a wrapper command, and resolves when it has ended. */
function serve(through: readonly string[], data: string, settings: Record<string, string> = {}): Promise<Ended> {
  const [command = "", ...args] = [...through, process.execPath, program, "serve"];
  const env = { ...programEnv(), ACCESSION_DATA: data, ACCESSION_PORT: "0", ...settings };
  return new Promise((resolve) => {
    execFile(command, args, { env }, (error, _, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });
}

describe("accession serve", () => {
  test.skipIf(lacks("prlimit"))(
    `reports that it may open only a few files ${skipNote("prlimit")}`,
    { tags: "extended" },
    async () => {
      const data = await createDataFolder();
      const { code, stderr } = await serve(["prlimit", "--nofile=64"], data);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^The process may open only 64 files.*ulimit -n 4096/)]);
      await rm(data, { recursive: true });
    },
  );

  test("reports that the data folder is a file", { tags: "extended" }, async () => {
    const data = await createDataFolder();
    await writeFile(join(data, "file"), "");
    const { code, stderr } = await serve([], join(data, "file"));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\/file is not a folder. Move it/)]);
    await rm(data, { recursive: true });
  });

  test("can use its own files with any umask", { tags: "extended" }, async () => {
    const data = await createDataFolder();
    const child = spawn("sh", ["-c", 'umask 0777; exec "$@"', "sh", process.execPath, program, "serve"], {
      env: { ...programEnv(), ACCESSION_DATA: data, ACCESSION_PORT: "0" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    child.stderr.setEncoding("utf8");
    for await (const text of child.stderr) {
      log += text;
      if (log.includes("the service is up")) break;
    }
    const modeOf = async (name: string) => (await stat(join(data, name))).mode & 0o777;
    expect([await modeOf("lock"), await modeOf("archive/ocfl")], log).toEqual([0o600, 0o700]);
    child.kill("SIGTERM");
    await once(child, "exit");
    await rm(data, { recursive: true });
  });
});
