import type { ChildProcess } from "node:child_process";
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { listVocabularies, searchVocabulary } from "../../src/db/vocabularies.ts";
import type { VocabularyKind } from "../../src/describe/vocabulary/vocabulary.ts";
import { createServiceDatabase, type ServiceDatabase } from "../support/database/service-database.ts";
import { type CommandResult, runCommand, startCommand, textOfCommand } from "../support/program/run-command.ts";
import { startTestService } from "../support/program/service.ts";
import { crossrefFunders, ror, rorRecord, skosExpanded } from "../support/vocabulary/samples.ts";

let data: string;
let files: string;
let database: ServiceDatabase;

beforeAll(async () => {
  ({ data, database } = await createServiceDatabase());
  files = await mkdtemp(join(tmpdir(), "accession-vocabularies-"));
});
afterAll(async () => {
  await database.drop();
  for (const folder of [data, files]) await rm(folder, { recursive: true, force: true });
});

const accession = (args: string[], more: Parameters<typeof runCommand>[2] = {}): Promise<CommandResult> =>
  runCommand(["vocabulary", ...args], data, { env: database.settings, ...more });

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(files, name);
  await writeFile(path, content);
  return path;
}

/** The names of the vocabularies with their number of entries, and the labels that a search finds. */
async function stored(kind: VocabularyKind, q: string): Promise<[Record<string, number>, string[]]> {
  const { queries, close } = await database.open();
  const all = await listVocabularies(queries);
  const found = await searchVocabulary(queries, kind, q, 10);
  await close();
  return [Object.fromEntries(all.map(({ name, entries }) => [name, entries])), found.map(({ label }) => label)];
}

const PAGE = "docs/how-to/vocabularies.md";

test(`the commands of ${PAGE} import and list vocabularies`, async () => {
  await file("ror-data.json", JSON.stringify(ror, undefined, 4));
  await file("funders.csv", crossrefFunders);
  await file("crops.jsonld", JSON.stringify(skosExpanded));
  const page = await readFile(join(import.meta.dirname, "../..", PAGE), "utf8");
  const commands = /```sh\n([^`]*)```/.exec(page)?.[1]?.trim().split(/\n\s*/) ?? [];
  const results = [];
  for (const command of commands) {
    const args = command.split(" ").slice(2);
    const { lines, stderr } = await accession(args.map((arg) => (/\.\w+$/.test(arg) ? join(files, arg) : arg)));
    expect(stderr).toBe("");
    results.push(lines);
  }
  const imported = { replaced: false, skipped: 1 };
  expect(results).toMatchObject([
    [{ ...imported, name: "ror", kind: "organisations", entries: 5 }],
    [{ ...imported, name: "funders", kind: "funders", title: "funders", entries: 2 }],
    // The node of the concept scheme is not an entry.
    [{ name: "crops", kind: "subjects", title: "Nutzpflanzen", language: "de", entries: 2, skipped: 2 }],
    [{ name: "crops" }, { name: "funders" }, { name: "ror" }],
  ]);
});

test("replaces and removes a vocabulary", { tags: "extended" }, async () => {
  const before = await accession(["import", await file("My crops.json.gz", gzipSync(JSON.stringify(skosExpanded)))]);
  expect(before.lines, before.stderr).toMatchObject([{ name: "my-crops", replaced: false }]);
  const name = ["--name", "my-crops"];
  const fewer = await accession([
    "import",
    await file("fewer.json", JSON.stringify(skosExpanded.slice(0, 2))),
    ...name,
  ]);
  expect(fewer.lines, fewer.stderr).toMatchObject([{ name: "my-crops", entries: 1, replaced: true }]);
  expect((await stored("subjects", "hordeum"))[0]["my-crops"]).toBe(1);
  expect((await accession(["remove", "my-crops"])).lines).toEqual([{ name: "my-crops", removed: true }]);
  expect((await stored("subjects", "hordeum"))[0]).not.toHaveProperty("my-crops");
  const again = await accession(["remove", "my-crops"]);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("no vocabulary “my-crops”")]);
});

test("refuses to replace a vocabulary of another kind, and keeps it", { tags: "extended" }, async () => {
  const crops = await file("other-kind.json", JSON.stringify(skosExpanded));
  const before = await accession(["import", await file("kinds.json", JSON.stringify(ror)), "--name", "institutes"]);
  expect(before.code, before.stderr).toBe(0);
  const refused = await accession(["import", crops, "--name", "institutes"]);
  expect([refused.code, refused.lines]).toEqual([1, []]);
  expect(refused.stderr).toContain("“institutes” contains organisations, and the file contains subjects");
  expect(refused.stderr).toContain("accession vocabulary remove institutes");
  expect((await stored("organisations", "gerstenforschung"))[0].institutes).toBe(5);
  await accession(["remove", "institutes"]);
  const after = await accession(["import", crops, "--name", "institutes"]);
  expect(after.lines, after.stderr).toMatchObject([{ kind: "subjects" }]);
  await accession(["remove", "institutes"]);
});

test("states what was imported and skipped, and accepts the former name of the kind", {
  tags: "extended",
}, async () => {
  const args = ["import", await file("text.json", JSON.stringify(ror)), "--kind", "ror", "--name", "text"];
  expect(await textOfCommand(["vocabulary", ...args], data, database.settings)).toBe(
    "✓ text: 5 organisations imported from “Research Organization Registry (ROR)”. 1 entry was skipped\n",
  );
  await accession(["remove", "text"]);
});

test.skipIf(inject("onPostgres"))("does not create a database in a wrong folder", async () => {
  const wrong = join(files, "wrong");
  const { code, stderr } = await runCommand(["vocabulary", "list"], wrong);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no database in ${wrong}. Set ACCESSION_DATA`)]);
  await expect(stat(wrong)).rejects.toThrow("ENOENT");
});

const many = Array.from({ length: 20_000 }, (_, i) => rorRecord(i, [[`New organisation ${i}`, ["ror_display"]]]));

test("an error, an interruption or a kill -9 during an import leaves the previous vocabulary", {
  tags: "extended",
}, async () => {
  const name = ["--name", "kept"];
  const old = await accession(["import", await file("old.json", JSON.stringify(ror)), ...name]);
  expect(old.code, old.stderr).toBe(0);
  const unchanged = async () => {
    const [vocabularies, found] = await stored("organisations", "institut");
    expect([vocabularies.kept, found]).toEqual([5, expect.arrayContaining(["Institut für Gerstenforschung"])]);
    expect((await stored("organisations", "new"))[1]).toEqual([]);
  };
  const wrong = await file("wrong.json", JSON.stringify([...many, many[0]]));
  const failed = await accession(["import", wrong, ...name]);
  expect([failed.code, failed.lines]).toEqual([1, []]);
  expect(failed.stderr).toContain(
    `The vocabulary cannot be imported: ${wrong}: The identifier https://ror.org/000000098 occurs twice (entry 1 and entry 20,001).`,
  );
  await unchanged();

  const whole = await file("new.json", JSON.stringify(many));
  for (const signal of ["SIGINT", "SIGKILL"] as const) {
    const stopped = await startCommand(["vocabulary", "import", whole, ...name], data, {
      env: database.settings,
      onStart: (child) => void stopHalfway(child, whole, signal),
    });
    expect(stopped.code, stopped.stderr).toBe(signal === "SIGINT" ? 130 : null);
    await unchanged();
  }
});

/** Sends the signal once the process has read half of the file, which it does within the transaction. */
async function stopHalfway(child: ChildProcess, path: string, signal: NodeJS.Signals): Promise<void> {
  const half = (await stat(path)).size / 2;
  const fds = `/proc/${child.pid}/fd`;
  const isRead = async () => {
    for (const fd of await readdir(fds).catch(() => [])) {
      if ((await readlink(join(fds, fd)).catch(() => "")) !== path) continue;
      const info = await readFile(`/proc/${child.pid}/fdinfo/${fd}`, "utf8").catch(() => "");
      if (Number(/^pos:\s*(\d+)/m.exec(info)?.[1]) > half) return true;
    }
    return child.exitCode !== null;
  };
  await vi.waitUntil(isRead, { timeout: 100_000, interval: 2 });
  child.kill(signal);
}

test("a running service with the embedded database must be stopped first, one with PostgreSQL need not", {
  tags: "extended",
}, async () => {
  await using service = await startTestService();
  const args = ["vocabulary", "import", await file("funders.csv", crossrefFunders)];
  const run = await runCommand(args, service.data, { env: service.settings });
  if (inject("onPostgres")) {
    expect(run.lines, run.stderr).toMatchObject([{ entries: 2 }]);
    expect((await service.api.get("/service")).json.vocabularies).toEqual(["funders"]);
  } else {
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/in use by another process of Accession \(\d+\)\. Stop that process/);
  }
});

test.each([
  [["import"], /missing required argument 'file'/],
  [["import", "x.json", "--kind", "places"], /Allowed choices are organisations, funders, subjects/],
  [["import", "x.json", "--name", "A B"], /lowercase letters/],
  [["import", "x.json", "--language", "german language"], /language tag such as en/],
  [["import", "x.json", "--language", "xx-klingon"], /language tag such as en/],
])("vocabulary %j is refused", async (args, message) => {
  const run = await accession(args);
  expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(message)]);
});
