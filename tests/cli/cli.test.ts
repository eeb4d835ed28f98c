import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { fillDemoBucket, type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { PRINCIPAL, startStsServer } from "../support/data-source/sts-server.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { samples } from "../support/metadata-files/samples.ts";
import { freePort } from "../support/network/ports.ts";
import { programEnv } from "../support/program/program.ts";
import { jsonLines, runProgram } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const PROGRAM = fileURLToPath(new URL("../../src/cli/accession.ts", import.meta.url));
const SECRET = "demo-secret-key-not-a-secret";
const KEYS = { ACCESSION_ACCESS_KEY: "DEMOACCESSKEY", ACCESSION_SECRET_KEY: SECRET };

let service: TestService;
let s3: S3Server;
let folder: string;
let bucket: string;

beforeAll(async () => {
  [service, s3, folder] = await Promise.all([
    startTestService(),
    startS3Server(),
    mkdtemp(join(tmpdir(), "accession-cli-")),
  ]);
  bucket = fillDemoBucket(s3).bucket;
  s3.addAccount({ accessKey: READER.ACCESSION_ACCESS_KEY, secretKey: READER.ACCESSION_SECRET_KEY });
});
afterAll(async () => {
  await Promise.all([service?.stop(), s3?.close(), rm(folder, { recursive: true, force: true })]);
});
afterEach(() => s3.clearFaults());

/** An account that may read every bucket. */
const READER = { ACCESSION_ACCESS_KEY: "AKREADER", ACCESSION_SECRET_KEY: "secret/of+reader" };

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Lines of standard output as JSON values. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared member by member.
  lines(): any[];
}

interface Running {
  ended: Promise<Run>;
  pid: number;
  /** Resolves when an output contains this text. */
  heard(text: RegExp): Promise<void>;
  interrupt(): void;
}

/** Runs the program in a pipe, with only the given environment. */
function begin(
  args: string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Running {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { ...programEnv(), ACCESSION_URL: service.url, ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.on("error", () => undefined).end(input);
  const ended = new Promise<Run>((resolve) => {
    child.once("close", (code) => {
      const lines = () =>
        stdout
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line));
      resolve({ code, stdout, stderr, lines });
    });
  });
  return {
    ended,
    pid: child.pid ?? 0,
    heard: (text) => vi.waitUntil(() => text.test(stdout + stderr)).then(() => undefined),
    interrupt: () => void child.kill("SIGINT"),
  };
}

/** Runs the program in a terminal, and types an answer to a question. */
async function inTerminal(args: string[], question: string, answer: string): Promise<{ code: number; said: string }> {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(" ");
  const env = { ...programEnv(), ...READER, ACCESSION_URL: service.url };
  const terminal = spawn("script", ["-qec", `stty cols 200; exec ${command}`, "/dev/null"], { cwd: folder, env });
  let said = "";
  terminal.stdout.on("data", (text) => {
    said += stripVTControlCharacters(String(text));
  });
  await vi.waitFor(() => expect(said).toContain(question));
  terminal.stdin.write(answer);
  const [code] = (await once(terminal, "exit")) as [number];
  return { code, said };
}

/** Runs a command that needs no process of its own. */
async function accession(args: string[], { env = {}, input = "" }: Parameters<typeof begin>[1] = {}): Promise<Run> {
  const ran = await runProgram(args, { env: { ACCESSION_URL: service.url, ...env }, cwd: folder, input });
  return { ...ran, lines: () => jsonLines(ran.stdout) };
}
const metadata = (more: object = {}) => JSON.stringify({ ...goodMetadata, ...more });

/** A completed submission, for tests of the archive. */
function archived(): Promise<{ id: string; receipt: string }> {
  done ??= archive();
  return done;
}
let done: ReturnType<typeof archived> | undefined;

async function archive(): Promise<{ id: string; receipt: string }> {
  const [accessKey, secretKey] = ["DEMOACCESSKEY", SECRET];
  const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket, accessKey, secretKey });
  await service.api.until(id, ["completed"]);
  const receipt = join(folder, `${id}.jws`);
  await writeFile(receipt, (await service.api.get(`/submission/${id}/receipt`)).text);
  return { id, receipt };
}

describe("submit", () => {
  it("follows a submission to its end, with a JSON value per line", async () => {
    const args = ["submit", s3.endpoint, bucket, "--metadata", "-", "--watch"];
    const run = await accession(args, { env: KEYS, input: metadata({ license: "" }) });
    expect(run.stderr).toBe("");
    expect(run.code).toBe(0);
    const lines = run.lines();
    // The service may have begun already.
    expect(lines[0]).toMatchObject({ status: expect.any(String), warnings: [{ code: "license_missing" }] });
    expect(lines.at(-1)).toMatchObject({ id: lines[0].id, status: "completed" });
    const events = lines.slice(1, -1);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1).type).toBe("completed");

    const again = await accession(["watch", lines[0].id, "--no-json"]);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(
      /\n✓ Completed: \d+ objects, 29\.4 MiB\n {2}Dataset urn:uuid:[0-9a-f-]{36}, version 1\nCan the source be deleted\? yes\n/,
    );
    const datasets = await accession(["dataset", "list", "--limit", "1", "--updated-after", "2026-01-01T00:00:00Z"]);
    expect(datasets.lines()).toMatchObject([{ version: 1, submission: lines[0].id, withdrawn: null }]);
  });

  it("is one submission for one idempotency key", async () => {
    const args = ["submit", s3.endpoint, bucket, "--metadata", "-", "--idempotency-key", "cli-1"];
    const runs = [];
    for (let n = 0; n < 2; n++) runs.push(await accession(args, { env: KEYS, input: metadata({ title: "Once" }) }));
    expect(runs[0]?.lines()[0].id).toBe(runs[1]?.lines()[0].id);
    const listed = await accession(["list", "--q", "oNCE"]);
    expect(listed.lines()).toHaveLength(1);
  });

  it("is one submission for identical requests, and another one with --repeat", async () => {
    const args = ["submit", s3.endpoint, bucket, "--metadata", "-"];
    const ids: string[] = [];
    for (const more of [[], [], ["--repeat"]]) {
      const run = await accession([...args, ...more], { env: KEYS, input: metadata({ title: "Identical" }) });
      ids.push(run.lines()[0].id);
    }
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
    const newest = (await accession(["list", "--ids", "--limit", "1"])).stdout;
    expect(newest).toBe(`${ids[2]}\n`);
    const run = await accession([...args, "--no-json"], { env: KEYS, input: metadata({ title: "Identical" }) });
    expect([run.code, run.stdout]).toEqual([
      0,
      expect.stringMatching(/^! An identical submission was accepted .*--repeat/s),
    ]);
    expect(run.stdout).not.toContain("✓ Accepted");
  });

  it("prints every error with its pointer", async () => {
    const input = metadata({ title: "", authors: [{ role: "Editor", orcid: "0000-0002-1825-0098" }] });
    const run = await accession(["submit", s3.endpoint, bucket, "--metadata", "-"], { env: KEYS, input });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("  /title  ");
    expect(run.stderr).toContain("  /authors/0/orcid  ");
    expect(run.stderr).toContain("(creator_required)");
    expect(run.lines()[0].problem.code).toBe("invalid_request");
  });

  it("prints the step at which the bucket check failed", async () => {
    const run = await accession(["submit", s3.endpoint, "nowhere", "--metadata", "-"], {
      env: KEYS,
      input: metadata(),
    });
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/“nowhere” does not exist[\s\S]*step “bucket”[\s\S]*→ Check the spelling of the bucket/);
  });

  it("takes fields that are not given from metadata files of the bucket, and prints their sources", {
    tags: "extended",
  }, async () => {
    s3.createBucket("described");
    for (const [name, content] of Object.entries(samples)) s3.put("described", name, content);
    const args = ["submit", s3.endpoint, "described", "--metadata", "-", "--metadata-from-bucket"];
    const input = JSON.stringify({ title: "Title of my own", description: " ", subjects: [], language: "de" });
    const run = await accession(args, { env: READER, input });
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringContaining("Metadata to submit, and where they come from:"),
    ]);
    expect(run.lines()[0].metadata).toMatchObject({
      title: "Title of my own",
      description: "Hourly soil moisture, air temperature and leaf area index of wheat plots.",
      subjects: ["wheat", "soil"],
      language: "de",
      license: "CC-BY-4.0",
    });
    expect(run.stderr).toMatch(/ {2}title +Title of my own \(--metadata; the value in datacite\.json is not used\)\n/);
    expect(run.stderr).toMatch(/ {2}authors \(datacite\.json\)\n {4}– role: Creator, .*lastName: Carberry/);
    expect(run.stderr).toMatch(/ {2}description +Hourly soil moisture.* wheat plots\. \(README\.md\)\n/);
    expect(run.stderr).toMatch(/ {2}subjects +wheat, soil \([A-Za-z.]+\)\n/);
    expect(run.stderr).toMatch(/! datacite\.json \(\/creators\/1\): “orcid”/);
    const preview = await accession(["preview", s3.endpoint, "described", "--no-json"], { env: READER });
    expect(preview.stdout).toMatch(/Metadata files.*\n +\d+ B {2}datacite\.json\n/);
  });

  it("validates metadata that comes from the bucket alone", async () => {
    s3.createBucket("hardly-described");
    s3.put("hardly-described", "README", "# A title\n");
    s3.put("hardly-described", "CITATION.cff", "title: [");
    const args = ["submit", s3.endpoint, "hardly-described", "--metadata-from-bucket"];
    const run = await accession(args, { env: READER });
    expect([run.code, run.lines()[0].errors[0].code]).toEqual([1, "creator_required"]);
    expect(run.stderr).toMatch(/ {2}title +A title \(README\)\n/);
    expect(run.stderr).toMatch(/! CITATION\.cff: .*cannot be read.*\(metadata_file_invalid\)/);
    expect(run.stderr).toMatch(/not complete\. Nothing was submitted\.\n {2}\/authors {2}/);
    expect(run.stderr).not.toContain("/title");
    expect((await service.api.get("/submission")).json).not.toContainEqual(
      expect.objectContaining({ title: "A title" }),
    );
    const none = await accession(
      ["submit", s3.endpoint, bucket, "--prefix", "measurements/", "--metadata-from-bucket"],
      { env: KEYS },
    );
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("has no metadata files at the top level")]);
  });

  it("submits incomplete metadata of the bucket in a script only with --yes, and asks in a terminal", {
    tags: "extended",
  }, async () => {
    s3.createBucket("without-licence");
    const creator = [{ name: "Carberry, Josiah", nameType: "Personal" }];
    s3.put(
      "without-licence",
      "datacite.json",
      JSON.stringify({ titles: [{ title: "Unlicensed" }], creators: creator }),
    );
    const args = ["submit", s3.endpoint, "without-licence", "--metadata-from-bucket"];
    const refused = await accession(args, { env: READER });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/Nothing was submitted\.\n {2}\/description .*\n {2}\/license .*\n.*--yes/);
    const asked = await inTerminal(args, "Submit the bucket with these metadata?", "n");
    expect([asked.code, asked.said]).toEqual([2, expect.stringMatching(/title +Unlicensed \(datacite\.json\)/)]);
    expect(asked.said).toContain("Nothing was submitted.");
    expect((await service.api.get("/submission?q=Unlicensed")).json).toEqual([]);
    const confirmed = await inTerminal(args, "Submit the bucket with these metadata?", "y");
    expect([confirmed.code, confirmed.said]).toEqual([0, expect.stringContaining("Accepted as")]);
    const forced = await accession([...args, "--yes", "--repeat"], { env: READER });
    expect([forced.code, forced.lines()[0].metadata.title]).toEqual([0, "Unlicensed"]);
  });

  it("names the places of errors and warnings in the metadata, not in the request", async () => {
    const wrong = metadata({ language: "Deutsch", fundingReference: [], funding: [] });
    const run = await accession(["submit", s3.endpoint, bucket, "--metadata", "-"], { env: KEYS, input: wrong });
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/ {2}\/language {2}.*Did you mean “de”\?/);
    expect(run.stderr).toMatch(/ {2}\/fundingReference {2}.*Did you mean “fundingReferences”\?/);
    const args = ["submit", s3.endpoint, bucket, "--metadata", "-", "--no-json"];
    const warned = await accession(args, { env: KEYS, input: metadata({ title: "Warned", funding: [] }) });
    expect(warned.stdout).toMatch(/ {2}\/funding {2}.*Did you mean “fundingReferences”\?/);
  });

  it("rejects metadata that are not JSON with line and column, and an answer of the service", async () => {
    for (const [input, text] of [
      [
        '{\n  "title": "x",\n  authors: []}',
        /\(line 3, column 3\): The file is not valid JSON: a name in double quotes/,
      ],
      [" \n", /are empty\. JSON is expected/],
      ['{"version": 1, "metadata": {"title": "x"}}', /inside the member “metadata”.*jq \.metadata/],
    ] as const) {
      const run = await accession(["submit", "x", "y", "--metadata", "-"], { env: KEYS, input });
      expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(text)]);
    }
  });

  it("rejects unreadable metadata", async () => {
    for (const [file, text] of [
      ["missing.json", "no such file"],
      ["-", "is not valid JSON"],
    ] as const) {
      const run = await accession(["submit", "x", "y", "--metadata", file], { env: KEYS, input: "{" });
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(text)]);
    }
  });
});

describe("check and preview", () => {
  it("prints each step as text, or the report as JSON", async () => {
    const person = await accession(["check", s3.endpoint, bucket, "--no-json"], { env: KEYS });
    expect(person.code).toBe(0);
    expect(person.stdout).toMatch(
      /✓ address[\s\S]*– TLS[\s\S]*→ Use https[\s\S]*✓ read[\s\S]*Connection successful\n$/,
    );
    const program = await accession(["check", s3.endpoint, bucket], { env: KEYS });
    expect(program.lines()).toMatchObject([{ ok: true, message: "Connection successful" }]);
  });

  it("fails with the hint, and with a policy if permissions are missing", async () => {
    const wrong = { ...KEYS, ACCESSION_SECRET_KEY: "wrong" };
    const run = await accession(["check", s3.endpoint, bucket, "--no-json"], { env: wrong });
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/✗ access key[\s\S]*Connection unsuccessful:/);
    expect(run.stdout).not.toContain("s3:GetObject");
    const misnamed = await accession(["check", s3.endpoint, "field/plots", "--no-json"], { env: KEYS });
    expect(misnamed.stdout).toMatch(
      /^Connection unsuccessful: enter only the name of the bucket, without an address or a path\.[^\n]*\n$/,
    );
    expect(run.stdout).not.toContain("wrong\n");
    s3.addAccount({ accessKey: "AKBLIND", secretKey: "blind", rights: (operation) => operation !== "list" });
    const blind = { ...KEYS, ACCESSION_ACCESS_KEY: "AKBLIND", ACCESSION_SECRET_KEY: "blind" };
    const denied = await accession(["check", s3.endpoint, bucket, "--no-json"], { env: blind });
    expect(denied.stdout).toMatch(/✗ list[\s\S]*Connection unsuccessful:[\s\S]*"s3:GetObject"/);
  });

  it("counts the objects that a submission would archive", async () => {
    const args = [
      "preview",
      s3.endpoint,
      bucket,
      "--include",
      "raw/**",
      "--include",
      "analysis*",
      "--exclude",
      "**.bin",
    ];
    const run = await accession([...args, "--no-json"], { env: KEYS });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      /^11 objects, 10\.9 MiB\n✓ Enough free space[\s\S]*raw\/runs\/run-01\.dat[\s\S]*raw\/\n {4}→ data\//,
    );
    expect((await accession(args, { env: KEYS })).lines()).toMatchObject([{ objects: 11, complete: true }]);
    const none = await accession(["preview", s3.endpoint, bucket, "--include", "x*", "--no-json"], { env: KEYS });
    expect(none.stdout).toMatch(/^0 objects, 0 B\n! No objects are selected\./);
  });
});

describe("secrets", () => {
  const check = (...more: string[]) => ["check", s3.endpoint, bucket, ...more];

  it("are requested if missing, and never accepted as arguments", async () => {
    const none = await accession(check(), { env: { ACCESSION_ACCESS_KEY: "A" } });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("set ACCESSION_SECRET_KEY, or use")]);
    const options = ["--secret-key=hush", "--session-token=hush"];
    for (const run of await Promise.all(options.map((option) => accession(check(option))))) {
      expect([run.code, run.stderr]).toEqual([
        2,
        expect.stringContaining("secrets cannot be part of the command line"),
      ]);
      expect(run.stderr + run.stdout).not.toContain("hush");
    }
  });

  it("come from a file, JSON or AWS style", async () => {
    const files = {
      "keys.json": JSON.stringify({ accessKey: "DEMOACCESSKEY", secretKey: SECRET }),
      "keys.ini": `[other]\naws_access_key_id = no\n\n[default]\naws_access_key_id=DEMOACCESSKEY\naws_secret_access_key = ${SECRET}\n`,
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text, { mode: 0o600 });
      const run = await accession(check("--credentials-file", name));
      expect([run.code, run.stderr]).toEqual([0, ""]);
    }
    await writeFile(join(folder, "keys.bad"), `{"accessKey": "${SECRET}`, { mode: 0o600 });
    const bad = await accession(check("--credentials-file", "keys.bad"));
    expect(bad.code).toBe(2);
    expect(bad.stderr).not.toContain(SECRET);
  });

  it.skipIf(process.platform !== "linux")("are not in the arguments of any process", async () => {
    s3.addFault({ match: { operation: "list" }, fault: { delay: 1_500 } });
    const running = begin(check(), { env: KEYS });
    const seen = readFileSync(`/proc/${running.pid}/cmdline`, "utf8");
    const run = await running.ended;
    expect(seen).toContain("check");
    expect(seen).not.toContain(SECRET);
    expect([run.code, run.stderr, run.stdout.includes(SECRET)]).toEqual([0, "", false]);
  });
});

describe("a waiting submission", () => {
  it("states who must act, and continues after the action", { tags: "extended" }, async () => {
    const title = "Evil \u001b]0;title\u0007 \u202e";
    const lost = /run-0[34]/;
    s3.addFault({ match: { operation: "get", key: lost }, fault: { status: 403, code: "AccessDenied" } });
    const args = ["submit", s3.endpoint, bucket, "--prefix", "raw/runs/", "--metadata", "-", "--watch", "--no-json"];
    const submitted = await accession(args, { env: KEYS, input: metadata({ title }) });
    expect(submitted.code).toBe(1);
    expect(submitted.stdout).toMatch(
      /! Waiting: 2 of 8 objects[\s\S]*Action required by you\.[\s\S]*exclude [0-9a-f-]{36} --all-unreadable/,
    );
    const id = /Accepted as ([0-9a-f-]{36})/.exec(submitted.stdout)?.[1] ?? "";

    const failed = await accession(["status", id, "--files", "--state", "unreadable"]);
    expect(failed.lines().map(({ key }) => key)).toEqual(["raw/runs/run-03.dat", "raw/runs/run-04.dat"]);
    const wrong = await accession(["exclude", id, "raw/runs/run-01.dat", "--reason", "x"]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("(not_unreadable)")]);

    const status = await accession(["status", id, "--no-json"]);
    expect(status.stdout).toContain("Evil \\x1b]0;title\\x07 \\u202e");
    expect(status.stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);

    const watching = accession(["watch", id, "--keep-waiting"]);
    expect((await accession(["exclude", id, "--all-unreadable", "--reason", "lost"])).code).toBe(0);
    const watched = await watching;
    expect([watched.code, watched.lines().at(-1).status]).toEqual([0, "completed"]);
  });

  it("continues after Ctrl-C, and ends with cancel", { tags: "extended" }, async () => {
    s3.addFault({ match: { operation: "get", key: /run-08/ }, fault: { stall: "forever" } });
    const s3Access = { endpoint: s3.endpoint, bucket, accessKey: "DEMOACCESSKEY", secretKey: SECRET };
    const { id } = await service.api.submit(s3Access, { selection: { prefix: "raw/runs/" } });
    const running = begin(["watch", id]);
    await running.heard(/"type":"transferring"/);
    running.interrupt();
    const run = await running.ended;
    expect([run.code, run.stderr]).toEqual([130, expect.stringContaining("The submission continues")]);
    expect((await accession(["cancel", id])).lines()).toMatchObject([{ status: "cancelled" }]);
    const [ended, late] = await Promise.all([accession(["watch", id]), accession(["retry", id])]);
    expect([ended.code, ended.lines().at(-1).status]).toEqual([1, "cancelled"]);
    expect([late.code, late.lines()[0].problem.code]).toEqual([1, "wrong_state"]);
  });
});

describe("receipts and packages", () => {
  it("are verified with keys and archive, and are invalid after a change", { tags: "extended" }, async () => {
    const { receipt } = await archived();
    const verify = (...args: string[]) => accession(["receipt", "verify", receipt, "--no-json", ...args]);
    const alone = await verify();
    expect([alone.code, alone.stdout]).toEqual([
      0,
      expect.stringContaining("readable, but the signature was not checked"),
    ]);
    const whole = await verify("--archive", service.archive);
    expect([whole.code, whole.stderr]).toEqual([0, ""]);
    expect(whole.stdout).toMatch(
      /✓ the signature is valid[\s\S]*The source can be deleted: yes[\s\S]*✓ The dataset and its lists of files [\s\S]* match the receipt\n! The contents of the files were not checked/,
    );
    expect((await verify("--jwks", `${service.url}/.well-known/jwks.json`)).code).toBe(0);

    const [head = "", payload = "", signature = ""] = (await readFile(receipt, "utf8")).split(".");
    const changed = Buffer.from(payload, "base64url").toString("utf8").replace('"stored":', '"stored":1');
    const tampered = [head, Buffer.from(changed).toString("base64url"), signature].join(".");
    const jwks = join(service.archive, "jwks.json");
    const run = await accession(["receipt", "verify", "-", "--jwks", jwks], { input: tampered });
    expect([run.code, run.lines()[0]]).toEqual([
      1,
      { ok: false, message: "The receipt was changed after it was signed" },
    ]);
    expect((await accession(["receipt", "verify", "nowhere.jws"])).code).toBe(2);
  });

  it("report damage for each file", { tags: "extended" }, async () => {
    const { id, receipt } = await archived();
    const { dataset } = await service.api.submission(id);
    const clean = await accession(["verify", service.archive]);
    expect([clean.code, clean.lines().at(-1)]).toMatchObject([0, { ok: true }]);
    const readme = await fileOf(dataset?.id ?? "", "data/README.md");
    const manifest = await fileOf(dataset?.id ?? "", "metadata/source-manifest.jsonl");
    const before = await Promise.all([readme, manifest].map((file) => readFile(file)));
    await Promise.all([readme, manifest].map((file) => appendFile(file, "x")));

    const damaged = await accession(["verify", join(service.archive, "ocfl"), "--no-json"]);
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toMatch(/^ +\S+\/v1\/content\/data\/README\.md: The sha512 is /m);
    const against = await accession(["receipt", "verify", receipt, "--archive", service.archive, "--no-json"]);
    expect(against.code).toBe(1);
    expect(against.stdout).toMatch(
      /✗ the archive does not match the receipt[\s\S]*Do not rely on this[\s\S]*source-manifest/,
    );
    await Promise.all([readme, manifest].map((file, index) => writeFile(file, before[index] ?? "")));
  });

  async function fileOf(dataset: string, path: string): Promise<string> {
    const { objectFolder } = await import("../../src/archive/layout.ts");
    return join(service.archive, "ocfl", objectFolder(`urn:uuid:${dataset}`), "v1", "content", path);
  }
});

describe("the service", () => {
  it("that cannot be reached causes exit code 3", async () => {
    const gone = await accession(["list"], { env: { ACCESSION_URL: "http://127.0.0.1:9" } });
    expect([gone.code, gone.stdout]).toEqual([3, ""]);
    expect(gone.stderr).toMatch(/^The service cannot be reached at http:\/\/127\.0\.0\.1:9 /);
    const watched = await accession(["watch", randomUUID()], { env: { ACCESSION_URL: "http://127.0.0.1:9" } });
    expect([watched.code, watched.stderr]).toEqual([3, expect.stringContaining("The service cannot be reached")]);
    const stranger = await accession(["list"], { env: { ACCESSION_URL: s3.endpoint } });
    expect([stranger.code, stranger.stderr]).toEqual([3, expect.stringContaining("is not an Accession service")]);
  });

  it("reports every error in its settings", async () => {
    const env = { ACCESSION_PORT: "high", ACCESSION_HOST: "0.0.0.0", ACCESSION_COLOUR: "blue" };
    for (const verb of ["config", "serve"]) {
      const run = await accession([verb], { env });
      expect(run.code).toBe(2);
      for (const name of ["PORT is not", "HOST is not", "COLOUR is not", "PUBLIC_URL is"]) {
        expect(run.stderr).toContain(`ACCESSION_${name}`);
      }
    }
    const url = "postgres://user:hush@host/database";
    const masked = await accession(["config"], { env: { ACCESSION_DATABASE_URL: url } });
    expect(masked.lines()[0].ACCESSION_DATABASE_URL).toBe("********");
    expect(masked.stdout + masked.stderr).not.toContain("hush");
  });

  it("tries the systems that the settings name, and says which cannot be used and why", async () => {
    const port = await freePort();
    const nowhere = `127.0.0.1:${port}`;
    await using sts = await startStsServer();
    const env = {
      ACCESSION_DATA: service.data,
      ...sts.settings,
      ACCESSION_STS_PRINCIPAL: PRINCIPAL.replace("user/accession", "user/other"),
      ACCESSION_SMTP_URL: `smtp://user:hush@${nowhere}`,
      ACCESSION_MAIL_FROM: "accession@example.org",
      ACCESSION_AUTH: "oidc",
      ACCESSION_OIDC_ISSUER: `http://${nowhere}/realm`,
      ACCESSION_OIDC_AUDIENCE: "accession",
      ACCESSION_ARCHIVE: "s3://the-archive/accession",
      ACCESSION_ARCHIVE_S3_ENDPOINT: s3.endpoint,
      ACCESSION_ARCHIVE_S3_ACCESS_KEY: "unknown",
      ACCESSION_ARCHIVE_S3_SECRET_KEY: "hush",
    };
    const run = await accession(["config", "--connect"], { env });
    expect(run.code).toBe(1);
    const tried = run.lines().slice(1);
    expect(tried.map(({ name, ok }) => [name, ok])).toEqual([
      ["database", true],
      ["archive", false],
      ["uploads", true],
      ["mail server", false],
      ["OpenID provider", false],
      ["STS", false],
    ]);
    expect(tried.map(({ reason }) => reason)).toEqual([
      null,
      expect.stringMatching(/403 InvalidAccessKeyId.*Correct ACCESSION_ARCHIVE_S3_ACCESS_KEY/),
      null,
      expect.stringMatching(/ESOCKET|ECONNREFUSED/),
      "connection refused",
      "ACCESSION_STS_ACCESS_KEY belongs to arn:aws:iam::123456789012:user/accession",
    ]);
    expect(run.stdout + run.stderr).not.toContain("hush");
    const missing = "/nowhere/secret.key";
    const onServer = await accession(["config", "--connect"], {
      env: {
        ACCESSION_DATA: service.data,
        ACCESSION_DATABASE_URL: `postgres://accession@${nowhere}/accession`,
        ACCESSION_SECRET_KEY_FILE: missing,
        ACCESSION_SIGNING_KEY_FILE: missing,
        ACCESSION_ARCHIVE: join(service.data, "new"),
      },
    });
    expect(onServer.lines().slice(1)).toEqual([
      { name: "database", place: `${nowhere}/accession`, ok: false, reason: "connection refused" },
      { name: "keys", place: missing, ok: false, reason: "no such file or folder" },
      { name: "keys", place: missing, ok: false, reason: "no such file or folder" },
      { name: "archive", place: `${join(service.data, "new")} (does not exist yet)`, ok: true, reason: null },
    ]);
    const usable = await accession(["config", "--connect"], { env: { ACCESSION_DATA: service.data } });
    expect([
      usable.code,
      usable
        .lines()
        .slice(1)
        .map(({ ok }) => ok),
    ]).toEqual([0, [true, true, true]]);
  });

  it("does not start with a data folder, port or path that it cannot use", { tags: "extended" }, async () => {
    const taken = await listener();
    const free = await createDataFolder();
    const { port } = taken.address() as { port: number };
    const cases: [Record<string, string>, RegExp][] = [
      [{ ACCESSION_DATA: service.data }, /is in use by another process/],
      [{ ACCESSION_DATA: free, ACCESSION_PORT: String(port) }, /: 127\.0\.0\.1:\d+ is in use\. Stop/],
      [
        { ACCESSION_DATA: "/dev/null/data" },
        /: \/dev\/null\/data cannot be used \(a part of the path is not a folder\)/,
      ],
    ];
    const quiet = { ACCESSION_PORT: "0", ACCESSION_LOG_LEVEL: "warn" };
    const runs = await Promise.all(cases.map(([env]) => accession(["serve"], { env: { ...quiet, ...env } })));
    for (const [index, { code, stderr }] of runs.entries()) {
      expect([code, stderr]).toEqual([1, expect.stringMatching(cases[index]?.[1] ?? "")]);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    }
    await rm(free, { recursive: true });
    taken.close();
  });

  it("stops at a signal", { tags: "extended" }, async () => {
    const data = await createDataFolder();
    const running = begin(["serve"], { env: { ACCESSION_DATA: data, ACCESSION_PORT: "0" } });
    await running.heard(/"msg":"the service is up"/);
    running.interrupt();
    const run = await running.ended;
    expect([run.code, run.stdout]).toEqual([0, ""]);
    await rm(data, { recursive: true });
  });

  it("prints in a terminal that it starts, its address and the location of the archive", {
    tags: "extended",
  }, async () => {
    const data = await createDataFolder();
    const env = { ...programEnv(), ACCESSION_DATA: data, ACCESSION_PORT: "0", ACCESSION_LOG_LEVEL: "warn" };
    const terminal = spawn("script", ["-qec", `${process.execPath} ${PROGRAM} serve`, "/dev/null"], { env });
    let said = "";
    terminal.stdout.on("data", (text) => {
      said += stripVTControlCharacters(String(text));
    });
    await vi.waitUntil(() => said.includes("Press Ctrl-C"));
    const gone = once(terminal, "exit");
    terminal.stdin.write("\x03");
    await gone;
    const [first, second, third] = said.split("\r\n").filter((line) => !line.startsWith("{"));
    expect(first).toMatch(/^Accession is starting/);
    expect(second).toMatch(/^Accession listens on http:\/\/127\.0\.0\.1:\d+ /);
    expect(third).toBe(`The archive is ${join(data, "archive")}. Press Ctrl-C to stop the service.`);
    await rm(data, { recursive: true });
  });

  function listener(): Promise<Server> {
    return new Promise((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => resolve(server));
    });
  }
});

describe("the program", () => {
  it("reports invalid usage with exit code 2", async () => {
    const wrong = [[], ["nonsense"], ["watch"], ["list", "--limit", "0"], ["submit", "a", "b"]];
    const runs = await Promise.all(wrong.map((args) => accession(args)));
    expect(runs.map(({ code }) => code)).toEqual(wrong.map(() => 2));
  });

  it("prints its version and help", async () => {
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    expect((await accession(["--version"])).stdout.trim()).toBe(version);
    const help = await accession(["--help"]);
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("Exit codes: 0 done");
  });

  it("does not overwrite keys", async () => {
    const run = await accession(["keys", "--dir", "keys"]);
    expect(run.code).toBe(0);
    const files = ["secret.key", "signing.key"].map((name) => join(folder, "keys", name));
    const before = await Promise.all(files.map((file) => readFile(file, "utf8")));
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await accession(["keys", "--dir", "keys"]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("already exists")]);
    expect(await Promise.all(files.map((file) => readFile(file, "utf8")))).toEqual(before);
  });

  it("refuses to run the demo with sign-in, which it does not have", async () => {
    const env = { ACCESSION_AUTH: "tokens" };
    const run = await accession(["demo", "--exit", "--dir", "refused-demo"], { env });
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain("does not support ACCESSION_AUTH=tokens");
  });

  it("runs the demo, which archives and publishes a dataset", async () => {
    const run = await accession(["demo", "--exit", "--dir", "demo-once"]);
    expect([run.code, run.stderr]).toEqual([0, ""]);
    expect(run.stdout).toContain("published under the DOI");
  });

  it("runs the demo twice with the same folder and one submission", { tags: "extended" }, async () => {
    const receipts = new Set<string>();
    for (const said of ["Submitted “", "Submitted earlier: “"]) {
      const run = await accession(["demo", "--exit", "--dir", "demo"]);
      expect([run.code, run.stderr]).toEqual([0, ""]);
      expect(run.stdout).toMatch(
        /✓ Completed: [\s\S]*✓ The signature of the receipt is valid[\s\S]*Package\n {2}demo\/archive\/ocfl\//,
      );
      expect(run.stdout).toContain(said);
      const receipt = /Receipt\n {2}(\S+)/.exec(run.stdout)?.[1] ?? "";
      expect((await accession(["receipt", "verify", receipt, "--archive", "demo/archive"])).code).toBe(0);
      receipts.add(receipt);
    }
    expect(receipts.size).toBe(1);
  });
});
