import { appendFile, cp, mkdtemp, readdir, readFile, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { filesIn, forgeContent, forgeReceipt } from "../support/archive/forgery.ts";
import { findPackage } from "../support/archive/package.ts";
import { runProgram } from "../support/program/run-command.ts";
import { startTestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let made: string;
/** The dataset's folder, relative to the storage root. */
let object: string;
let files: string[];
let folder: string;
let root: string;

beforeAll(async () => {
  await using service = await startTestService();
  const s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("small");
  for (const key of ["a.csv", "b/c.csv", "b//odd", "k".repeat(300)]) s3.put("small", key, `content of ${key}\n`);
  const { id } = await service.api.submit({ endpoint: s3.endpoint, bucket: "small", ...keys });
  const { dataset } = await service.api.until(id, ["completed"]);
  made = await mkdtemp(join(tmpdir(), "accession-verify-"));
  for (const name of ["ocfl", "jwks.json"])
    await cp(join(service.archive, name), join(made, name), { recursive: true });
  object = relative(join(service.archive, "ocfl"), (await findPackage(service.archive, dataset?.id ?? "")).folder);
  files = await filesBelow(join(made, "ocfl"));
  await s3.close();
});
afterAll(() => rm(made, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-verify-"));
  root = join(folder, "ocfl");
  await cp(made, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function filesBelow(top: string): Promise<string[]> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(top, join(parentPath, name)));
}

async function flip(file: string, place: "first" | "middle" | "last"): Promise<() => Promise<void>> {
  const content = await readFile(file);
  const at = { first: 0, middle: Math.floor(content.length / 2), last: Math.max(0, content.length - 1) }[place];
  // An empty file, such as an empty log of reads, receives a byte.
  const flipped = content.length === 0 ? Buffer.alloc(1) : Buffer.from(content);
  flipped[at] = (content[at] ?? 0) ^ 1;
  await writeFile(file, flipped);
  return () => writeFile(file, content);
}

/** Whether a check reports this file, as the path of the finding or as one of two contradicting files. */
async function isNamed(file: string): Promise<boolean> {
  const { findings } = await checkRoot(root);
  const own = file.startsWith(object) ? relative(object, file) : file;
  return findings.some(({ path, detail }) => path === file || detail.includes(`${own} `));
}

describe("a check of the storage root", () => {
  test("finds no errors in the service’s own files", async () => {
    expect(await checkRoot(root)).toMatchObject({ ok: true, findings: [], objects: 1 });
    for (const name of ["receipt.jws", "events.jsonl", "reads.jsonl", "submission.json", "manifest-sha512.txt"]) {
      expect(files).toContain(join(object, "logs/v1", name));
    }
  });

  test.each(["first", "middle", "last"] as const)("reports every file whose %s byte is flipped", async (place) => {
    const missed: string[] = [];
    for (const file of files) {
      const restore = await flip(join(root, file), place);
      if (!(await isNamed(file))) missed.push(file);
      await restore();
    }
    expect(files.length).toBeGreaterThan(18);
    expect(missed).toEqual([]);
    expect((await checkRoot(root)).findings).toEqual([]);
  });

  test("reports every missing file, or the folder without it", async () => {
    const missed: string[] = [];
    for (const file of files) {
      await unlink(join(root, file));
      const { findings } = await checkRoot(root);
      const declaration = /(?:^|\/)0=/.test(file);
      const wanted = declaration ? [dirname(file), `${dirname(file)}/`, ""] : [file];
      if (!findings.some(({ path }) => wanted.includes(path))) missed.push(file);
      await cp(join(made, "ocfl", file), join(root, file));
    }
    expect(missed).toEqual([]);
  });

  test("reports every added file in any folder", async () => {
    const folders = new Set(files.flatMap((file) => ancestors(file)));
    expect(folders).toContain(join(object, "logs/v1"));
    for (const at of folders) {
      const extra = at === "" ? "extra" : join(at, "extra");
      await writeFile(join(root, extra), "");
      const { findings } = await checkRoot(root);
      expect(
        findings.map(({ path }) => path),
        extra,
      ).toContain(extra);
      await unlink(join(root, extra));
    }
  });

  test("reports a damaged content file beside a damaged inventory", async () => {
    await writeFile(join(root, object, "inventory.json"), "{");
    await appendFile(join(root, object, "v1/content/data/a.csv"), "x");
    const paths = (await checkRoot(root)).findings.map(({ path }) => path);
    expect(paths).toContain(join(object, "inventory.json"));
    expect(paths).toContain(join(object, "v1/content/data/a.csv"));
  });
});

function ancestors(file: string): string[] {
  const parts = file.split("/").slice(0, -1);
  return [...parts.keys(), parts.length].map((count) => parts.slice(0, count).join("/"));
}

interface Ended {
  code: number;
  stdout: string;
}

function verify(...args: string[]): Promise<Ended> {
  return runProgram(["verify", ...args]);
}

describe("accession verify", () => {
  test.each([
    ["the storage root", () => root, 1],
    ["the archive", () => folder, 1],
    ["one object", () => join(root, object), 1],
  ])("reads all of %s and exits with 0", async (_, where, objects) => {
    const { code, stdout } = await verify(where(), "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, objects, files: 9 });
  });

  test("reports the file as JSON and as text, and exits with 1", async () => {
    const file = "v1/content/data/b/c.csv";
    await flip(join(root, object, file), "middle");
    const inRoot = await verify(root, "--json");
    expect(inRoot.code).toBe(1);
    const [finding, sum] = inRoot.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(finding).toMatchObject({
      code: "E092",
      severity: "error",
      path: join(object, file),
      reference: "https://ocfl.io/1.1/spec/#E092",
    });
    expect(sum).toMatchObject({ ok: false });
    const alone = await verify(join(root, object), "--no-json");
    expect(alone.code).toBe(1);
    expect(alone.stdout).toMatch(
      /^E092 {2}A content file is missing, .*\(1\)\n {6}v1\/content\/data\/b\/c\.csv: The sha512 is .*\n\nWhat to do\nE092: .*\n/,
    );
    expect(alone.stdout).toMatch(/\n✗ Not valid: .*; 1 error, 0 warnings\)\n$/);
  });

  const content = "v1/content/data/a.csv";

  /** The codes and paths of the findings, which must be the same for the whole archive and for the object alone. */
  async function found(...more: string[]): Promise<string[]> {
    const named = async (at: string) => {
      const { code, stdout } = await verify(at, "--json", ...more);
      expect(code).toBe(1);
      const findings = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .slice(0, -1);
      return findings.map((finding) => `${finding.code} ${finding.path.replace(`${object}/`, "")}`);
    };
    const [whole, alone] = await Promise.all([named(folder), named(join(root, object))]);
    expect(whole).toEqual(alone);
    return alone;
  }

  test("finds content that was replaced together with inventory and sidecar through the receipt", async () => {
    await forgeContent(filesIn(join(root, object)), content, ["v1"]);
    expect(await found()).toEqual(["EL06 v1/inventory.json"]);
  });

  test("finds a receipt that was signed by another key", async () => {
    await forgeContent(filesIn(join(root, object)), content, ["v1"]);
    const key = await forgeReceipt(filesIn(join(root, object)), "v1");
    expect(await found()).toEqual(["EL05 logs/v1/receipt.jws"]);
    // The forger replaces the keys of the archive, too. Then only keys from another source reveal it.
    const genuine = await readFile(join(folder, "jwks.json"));
    await writeFile(join(made, "genuine.json"), genuine);
    await writeFile(join(folder, "jwks.json"), JSON.stringify({ keys: [key] }));
    expect((await verify(folder)).code).toBe(0);
    expect(await found("--jwks", join(made, "genuine.json"))).toEqual(["EL05 logs/v1/receipt.jws"]);
  });

  test("finds a receipt that was removed together with its line in the manifest of the logs", async () => {
    await forgeContent(filesIn(join(root, object)), content, ["v1"]);
    const logs = join(root, object, "logs/v1");
    await rm(join(logs, "receipt.jws"));
    const manifest = await readFile(join(logs, "manifest-sha512.txt"), "utf8");
    const lines = manifest.split("\n").filter((line) => !line.endsWith("  receipt.jws"));
    await writeFile(join(logs, "manifest-sha512.txt"), lines.join("\n"));
    expect(await found()).toEqual(["EL02 logs/v1/receipt.jws"]);
  });

  test("finds that the logs of a version are missing in an archive", { tags: "extended" }, async () => {
    await forgeContent(filesIn(join(root, object)), content, ["v1"]);
    await rm(join(root, object, "logs"), { recursive: true });
    expect(await found()).toEqual(["EL02 logs/v1/receipt.jws"]);
    // Hiding that this software packaged the version makes no difference.
    await rm(join(root, object, "v1/content/metadata/source-manifest.jsonl"));
    expect(await found()).toContain("EL02 logs/v1/receipt.jws");
    // Removing the archive's keys makes no difference.
    await rm(join(folder, "jwks.json"));
    expect((await verify(folder, "--json")).stdout).toContain('"EL02"');
    // A storage root that is not an archive may contain datasets without their logs.
    const elsewhere = join(made, "elsewhere");
    await cp(root, elsewhere, { recursive: true });
    expect((await verify(elsewhere, "--jwks", join(made, "jwks.json"))).stdout).not.toContain("EL02");
  });

  test("warns of missing logs of a dataset outside an archive, and does not report its signer as established", {
    tags: "extended",
  }, async () => {
    const alone = join(folder, "handed/on/to/another/dataset");
    await cp(join(root, object), alone, { recursive: true });
    await rm(join(alone, "logs"), { recursive: true });
    // Keys of another program, not of the archive.
    await writeFile(join(folder, "handed/jwks.json"), "no keys");
    await writeFile(join(folder, "jwks.json"), "no keys");
    const without = await verify(alone, "--json");
    const [finding, sum] = without.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect([without.code, finding.code]).toEqual([0, "WL01"]);
    expect(sum).toMatchObject({ receipts: "signer not established", versions: 1, receiptsVerified: 0 });
    const { stdout } = await verify(alone, "--no-json", "--jwks", join(made, "jwks.json"));
    expect(stdout).toMatch(/1 version, 0 receipts verified/);
    expect(stdout).toMatch(/signer .*not established/i);
  });

  test("counts versions and verified receipts", { tags: "extended" }, async () => {
    const { stdout } = await verify(folder, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ receipts: "signer established", versions: 1, receiptsVerified: 1 });
    expect((await verify(folder, "--no-json")).stdout).toMatch(/1 version, 1 receipt verified/);
  });

  test("finds the receipt of another dataset, and text that is not a receipt", {
    tags: "extended",
  }, async () => {
    const key = await forgeReceipt(filesIn(join(root, object)), "v1", ({ dataset }) => {
      dataset.identifier = "urn:uuid:00000000-0000-4000-8000-000000000000";
    });
    await writeFile(join(folder, "jwks.json"), JSON.stringify({ keys: [key] }));
    expect(await found()).toEqual(["EL05 logs/v1/receipt.jws"]);
    await writeFile(join(folder, "jwks.json"), "no keys");
    const ended = await verify(folder);
    expect(ended.code).toBe(2);
  });

  test("reports that signatures were not checked if there are no keys", async () => {
    await rm(join(folder, "jwks.json"));
    const { code, stdout } = await verify(folder, "--json");
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, receipts: "signer not established" }]);
  });

  test("exits with 2 for a folder that does not exist", async () => {
    expect((await verify(join(folder, "nowhere"))).code).toBe(2);
  });
});
