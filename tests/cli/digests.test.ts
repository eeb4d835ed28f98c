import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { runCommand, runProgram } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const FILES = { "run/a.csv": "a", "run/b.csv": "bb" };
let s3: S3Server;
let service: TestService;
let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService();
  env = { ACCESSION_URL: service.url, ACCESSION_ACCESS_KEY: keys.accessKey, ACCESSION_SECRET_KEY: keys.secretKey };
  folder = await mkdtemp(join(tmpdir(), "accession-digests-"));
  await writeFile(at("dataset.json"), JSON.stringify(goodMetadata));
});
afterAll(async () => {
  await service.stop();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

const sums = (files: Record<string, string>, algorithm = "sha256") =>
  Object.entries(files)
    .map(([path, body]) => `${createHash(algorithm).update(body).digest("hex")}  ${path}\n`)
    .join("");
let env: Record<string, string>;
const run = (...args: string[]) => runCommand([...args, "--metadata", at("dataset.json")], folder, { env });
const verifiedOf = async (id: string) =>
  (await service.api.files(id)).map(({ key, verifiedWith }) => [key, verifiedWith]);

test("submit sends lists and names lists of the bucket, and can ignore the manifests of a bag", async () => {
  s3.createBucket("listed");
  for (const [key, body] of Object.entries(FILES)) s3.put("listed", key, body);
  s3.put("listed", "run/MD5SUMS", sums({ "b.csv": "bb" }, "md5"));
  await writeFile(at("SHA256SUMS"), sums({ "run/a.csv": "a" }));
  const submitted = await run(
    "submit",
    s3.endpoint,
    "listed",
    "--digests",
    at("SHA256SUMS"),
    "--digests-key",
    "run/MD5SUMS",
  );
  expect(submitted.stderr).toBe("");
  const { id, digests } = submitted.lines[0] as { id: string; digests: object };
  expect(digests).toMatchObject({ lists: [{ name: "SHA256SUMS", origin: "request", entries: 1 }] });
  await service.api.until(id, ["completed"]);
  expect(await verifiedOf(id)).toEqual([
    ["run/MD5SUMS", "md5"],
    ["run/a.csv", "submitter-sha256"],
    ["run/b.csv", "submitter-md5"],
  ]);
  s3.put("listed", "bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
  s3.put("listed", "manifest-md5.txt", sums({ "run/a.csv": "other" }, "md5"));
  const ignoring = await run("submit", s3.endpoint, "listed", "--no-digests");
  expect((await service.api.until((ignoring.lines[0] as { id: string }).id, ["completed"])).digests).toBeNull();
});

test("lists whose paths are relative to another folder are compared with --digests-base", async () => {
  s3.createBucket("based");
  for (const [key, body] of Object.entries({ ...FILES, x: "x", SHA256SUMS: sums({ "a.csv": "a" }) }))
    s3.put("based", key, body);
  const of = ["based", "--prefix", "run/", "--digests-key", "SHA256SUMS", "--digests-base", "run"];
  const submitted = await run("submit", s3.endpoint, ...of);
  const { digests } = await service.api.until((submitted.lines[0] as { id: string }).id, ["completed"]);
  expect(digests).toMatchObject({ comparison: { files: 1, notSelected: 0 } });
  await writeFile(at("more"), sums({ "run/a.csv": "a", x: "x" }));
  const list = ["--digests", at("more"), "--digests-base", "/"];
  const args = ["preview", s3.endpoint, "based", "--prefix", "run/", ...list];
  const preview = await runCommand(args, folder, { env });
  expect(preview.lines).toMatchObject([{ digests: { comparison: { files: 1, notSelected: 1 } } }]);
});

test("status states how many files of the lists are not selected", async () => {
  s3.createBucket("partly");
  for (const [key, body] of Object.entries(FILES)) s3.put("partly", key, body);
  await writeFile(at("all"), sums(FILES));
  const of = ["partly", "--exclude", "run/b.csv", "--digests", at("all")];
  const submitted = await run("submit", s3.endpoint, ...of);
  const { id } = submitted.lines[0] as { id: string };
  await service.api.until(id, ["completed"]);
  const { stdout } = await runProgram(["status", id, "--no-json"], { env: { ...env, ACCESSION_DATA: folder } });
  expect(stdout).toMatch(/checksums +1 file in 1 list, 1 listed file not selected\n/);
});

test("status and the receipt state how many different files were excluded", async () => {
  s3.createBucket("damaged");
  for (const [key, body] of Object.entries(FILES)) s3.put("damaged", key, body);
  await writeFile(at("original"), sums({ ...FILES, "run/b.csv": "original" }));
  const submitted = await run("submit", s3.endpoint, "damaged", "--digests", at("original"));
  const { id } = submitted.lines[0] as { id: string };
  await service.api.until(id, ["waiting"]);
  const inFolder = { env: { ...env, ACCESSION_DATA: folder } };
  const before = await runProgram(["status", id, "--no-json"], inFolder);
  expect(before.stdout).toMatch(/checksums +2 files in 1 list, 1 different\n/);
  await runCommand(["exclude", id, "run/b.csv", "--reason", "damaged"], folder, { env });
  await service.api.until(id, ["completed"]);
  const after = await runProgram(["status", id, "--no-json"], inFolder);
  expect(after.stdout).toMatch(/checksums +2 files in 1 list, 1 different and excluded\n/);
  const { text } = await service.api.get(`/submission/${id}/receipt`);
  await writeFile(at("receipt.jws"), text);
  const verified = await runProgram(["receipt", "verify", at("receipt.jws"), "--no-json"], inFolder);
  expect(verified.stdout).toMatch(/lists +2 files in 1 checksum list, 0 in none, 1 different and excluded\n/);
});

test("preview states the number of checksums only if all lists were read", async () => {
  s3.createBucket("large-bag");
  s3.put("large-bag", "bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
  s3.put("large-bag", "data/a.csv", "a");
  const preview = async () =>
    (await runProgram(["preview", s3.endpoint, "large-bag", "--no-json"], { env: { ...env, ACCESSION_DATA: folder } }))
      .stdout;
  s3.put("large-bag", "manifest-sha256.txt", sums({ "data/a.csv": "a" }));
  expect(await preview()).toContain(" manifest-sha256.txt: 1 checksum\n");
  s3.put("large-bag", "manifest-sha256.txt", { seed: "m", size: 65 * 1024 * 1024 });
  expect(await preview()).toMatch(/Checksum lists\n\S* manifest-sha256\.txt\n/);
});

test("status tolerates the answer of an earlier version of the service", async () => {
  s3.createBucket("earlier");
  for (const [key, body] of Object.entries(FILES)) s3.put("earlier", key, body);
  await writeFile(at("damaged"), sums({ ...FILES, "run/b.csv": "original" }));
  const submitted = await run("submit", s3.endpoint, "earlier", "--digests", at("damaged"));
  const { id } = submitted.lines[0] as { id: string };
  await service.api.until(id, ["waiting"]);
  const earlier = createServer(async (request, response) => {
    const { digests, ...rest } = (await service.api.get(request.url ?? "")).json;
    const { unread, differingExcluded, ...known } = digests;
    response.setHeader("content-type", "application/json").end(JSON.stringify({ ...rest, digests: known }));
  });
  await once(earlier.listen(0, "127.0.0.1"), "listening");
  const ACCESSION_URL = `http://127.0.0.1:${(earlier.address() as AddressInfo).port}`;
  const inFolder = { env: { ...env, ACCESSION_URL, ACCESSION_DATA: folder } };
  const { code, stdout } = await runProgram(["status", id, "--no-json"], inFolder);
  earlier.close();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/checksums +2 files in 1 list, 1 different\n/)]);
});

test("a list that is not UTF-8, or is empty, is refused before the request", async () => {
  await writeFile(at("latin1"), Buffer.from(sums({ "Müller.csv": "a" }), "latin1"));
  await writeFile(at("empty"), "\n");
  for (const [file, reason] of [
    ["latin1", "is not text in UTF-8"],
    ["empty", "is empty"],
  ] as const) {
    const { code, stderr } = await run("submit", s3.endpoint, "listed", "--digests", at(file));
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  }
});

test("upload sends a list with the files of a folder; a wrong one is named before files are sent", async () => {
  await mkdir(at("data/run"), { recursive: true });
  for (const [path, body] of Object.entries(FILES)) await writeFile(at(`data/${path}`), body);
  await writeFile(at("wrong"), `${sums(FILES)}not a line\n`);
  const refused = await run("upload", at("data"), "--digests", at("wrong"));
  expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining("wrong  Line 3: ")]);
  expect(refused.stderr).toContain("Correct every listed error, and run the command again.");
  expect((await service.api.get("/uploads")).json).toEqual([]);
  await writeFile(at("absolute"), sums({ "/x/a": "a", "/x/b": "b", "/x/c": "c" }));
  const absolute = await run("upload", at("data"), "--digests", at("absolute"));
  expect(absolute.stderr.match(/The path is absolute/g)).toHaveLength(1);
  expect(absolute.stderr).toMatch(/absolute {2}Line 1: .*\n +and 2 more lines\n/);
  await writeFile(at("SHA256SUMS"), sums(FILES));
  const sent = await run("upload", at("data"), "--digests", at("SHA256SUMS"));
  const { id } = sent.lines.find((line) => "id" in line) as { id: string };
  await service.api.until(id, ["completed"]);
  expect(await verifiedOf(id)).toEqual(Object.keys(FILES).map((key) => [key, "submitter-sha256"]));
});

test.each([
  ["--dataset", "not-an-id"],
  ["--notify", "no address"],
])("an error about the value of an option names the option: %s", async (option, value) => {
  for (const command of [
    ["submit", s3.endpoint, "listed"],
    ["upload", folder],
  ]) {
    const { code, stderr } = await run(...command, option, value);
    expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^ *${option} `, "m"))]);
  }
});

test("a list that is too large for a request is refused with the way out", async () => {
  await writeFile(at("large"), "x".repeat(7 * 1024 * 1024 + 1));
  const { code, stderr } = await run("submit", s3.endpoint, "listed", "--digests", at("large"));
  expect([code, stderr]).toEqual([2, expect.stringContaining("--digests-key")]);
});

test.each([
  [["--no-digests", "--digests", "SHA256SUMS"], "either --no-digests, or lists"],
  [["--digests", "SHA256SUMS", "--no-digests"], "either --no-digests, or lists"],
  [["--no-digests", "--digests-key", "run/MD5SUMS"], "either --no-digests, or lists"],
  [["--digests-base", "run/"], "--digests-base is about lists"],
  [["--no-digests", "--digests-base", "run/"], "--digests-base is about lists"],
  [["--digests-key", "run/MD5SUMS", "--digests-base", "../run"], "leads out of the source"],
])("options about lists that contradict each other are refused: %s", async (options, reason) => {
  for (const command of [
    ["submit", s3.endpoint, "listed", "--metadata", at("dataset.json")],
    ["preview", s3.endpoint, "listed"],
    ["upload", folder, "--metadata", at("dataset.json")],
  ]) {
    const { code, stderr } = await runCommand([...command, ...options], folder, { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)]);
  }
});

describe("an upload that waits names the way out, and after it the folder is archived", () => {
  const tus = new TusClient(() => service.api);

  /** Writes a folder, uploads it by another program with this list, and returns what `watch` prints. */
  async function waitFor(name: string, files: Record<string, string>, list: object) {
    const upload = await tus.upload();
    for (const [path, body] of Object.entries(files)) {
      await mkdir(dirname(at(`${name}/${path}`)), { recursive: true });
      await writeFile(at(`${name}/${path}`), body);
      await tus.send(upload.files, path, Buffer.from(body));
    }
    const { id } = (await tus.submit(upload.id, { digests: [list] })).json;
    const { code, stdout } = await runProgram(["watch", id, "--no-json"], { cwd: folder, env });
    expect([code, stdout]).toEqual([1, expect.stringContaining("Waiting:")]);
    const words = stdout.replace(/\s+/g, " ");
    // Outside of the checkout, npm has no script for it.
    expect(stdout).toContain(`→ accession cancel ${id}\n`);
    expect(words).toContain("Action required by you.");
    expect(words).toContain("An upload cannot be changed, and only files that have changed are sent.");
    return { id, words };
  }

  const sumsList = async () => ({ name: "sums", text: await readFile(at("sums"), "utf8") });

  /** Runs the commands that were named. */
  async function sendAgain(name: string, id: string, ...lists: string[]) {
    const { code, stdout } = await runProgram(["cancel", id, "--no-json"], { cwd: folder, env });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/ upload FOLDER --metadata FILE --digests\S* \S+ --upload /),
    ]);
    // Otherwise it would be the same submission as that of another test.
    await writeFile(at(`${name}.json`), JSON.stringify({ ...goodMetadata, title: name }));
    const args = ["upload", at(name), "--metadata", at(`${name}.json`), ...lists];
    const again = await runCommand(args, folder, { env });
    const results = Object.fromEntries(again.lines.flatMap(({ path, result }) => (path ? [[path, result]] : [])));
    await service.api.until(again.lines.at(-1).id, ["completed"]);
    return results;
  }

  test("with a file that differs", async () => {
    await writeFile(at("sums"), sums({ "a.csv": "a", "b.csv": "bb" }));
    const { id, words } = await waitFor("differing", { "a.csv": "a", "b.csv": "damaged" }, await sumsList());
    expect(words).toContain("Compare each file with the original, and correct the file or the list.");
    expect(words).not.toContain(`retry ${id}`);
    const excluded = await runCommand(["exclude", id, "data/b.csv", "--reason", "damaged"], folder, { env });
    expect([excluded.code, excluded.stderr]).toEqual([1, expect.stringContaining("Did you mean b.csv?")]);
    expect(words).toContain("upload FOLDER --metadata FILE --digests LIST");
    expect(words).toContain(`exclude ${id} --all-unreadable`);
    await writeFile(at("differing/b.csv"), "bb");
    expect(await sendAgain("differing", id, "--digests", at("sums"))).toEqual({ "a.csv": "present", "b.csv": "sent" });
  });

  test("without a listed file", async () => {
    await writeFile(at("sums"), sums({ "a.csv": "a", "b.csv": "bb" }));
    const { id, words } = await waitFor("lacking", { "a.csv": "a" }, await sumsList());
    expect(words).toContain("Add the missing files to the folder, or correct the list.");
    expect(words).toContain("upload FOLDER --metadata FILE --digests LIST");
    expect(words).not.toContain("keep-waiting");
    await writeFile(at("lacking/b.csv"), "bb");
    expect(await sendAgain("lacking", id, "--digests", at("sums"))).toEqual({ "a.csv": "present", "b.csv": "sent" });
  });

  test("with a wrong list in it", async () => {
    const files = { "a.csv": "a", SHA256SUMS: "no checksum\n" };
    const { id, words } = await waitFor("listed", files, { key: "SHA256SUMS" });
    expect(words).toContain("Correct the list in the folder.");
    expect(words).toContain("upload FOLDER --metadata FILE --digests-key KEY");
    const status = async () => (await runProgram(["status", id, "--no-json"], { cwd: folder, env })).stdout;
    expect(await status()).toMatch(/checksums +1 list, 1 not used yet\n/);
    expect(words).not.toContain("access rights");
    await writeFile(at("listed/SHA256SUMS"), sums({ "a.csv": "a" }));
    expect(await sendAgain("listed", id, "--digests-key", "SHA256SUMS")).toMatchObject({ SHA256SUMS: "sent" });
    expect(await status()).toMatch(/checksums +1 list, 1 not used\n/);
  });

  test("without the list", async () => {
    const { words } = await waitFor("unlisted", { "a.csv": "a" }, { key: "SHA256SUMS" });
    expect(words).toContain("Check that the folder has the list.");
    expect(words).not.toContain("access rights");
  });
});

test("a bucket that lacks a listed file is corrected and retried", async () => {
  s3.createBucket("lacking");
  s3.put("lacking", "a.csv", "a");
  await writeFile(at("sums"), sums({ "a.csv": "a", "b.csv": "bb" }));
  const args = ["submit", s3.endpoint, "lacking", "--metadata", at("dataset.json"), "--digests", at("sums")];
  const { code, stdout } = await runProgram([...args, "--watch", "--no-json"], { cwd: folder, env });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/ retry \S+\n.* cancel /)]);
  expect(stdout).not.toContain("keep-waiting");
});
