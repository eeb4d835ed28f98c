import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { goodMetadata } from "../support/api/api.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const FILES = { "run-1/plate.csv": "a", "run-1/layout.csv": "bb", "notes.txt": "ccc" };

describe("before accession upload sends anything, it refuses", () => {
  let service: TestService;
  let folder: string;
  let data: string;
  let metadata: string;

  beforeAll(async () => {
    service = await startTestService();
    folder = await mkdtemp(join(tmpdir(), "accession-before-"));
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    data = await mkdtemp(join(folder, "data-"));
    for (const [path, content] of Object.entries(FILES)) await write(path, content);
    metadata = join(folder, "dataset.json");
    await writeFile(metadata, JSON.stringify({ ...goodMetadata, title: data }));
  });

  async function write(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(data, path)), { recursive: true });
    await writeFile(join(data, path), content);
  }

  const run = (...more: string[]) =>
    runCommand(["upload", data, "--metadata", metadata, ...more], folder, { env: { ACCESSION_URL: service.url } });
  const openUploads = async () => (await service.api.get("/uploads")).json as { id: string }[];
  const accepted = async (...more: string[]) => {
    const { code, lines, stderr } = await run(...more);
    expect([code, stderr]).toEqual([0, ""]);
    return lines.at(-1) as { id: string; target: { id: string; version: number } };
  };

  describe("a folder that was just submitted", () => {
    async function expectRefused(id: string, ...more: string[]): Promise<void> {
      const { code, lines, stderr } = await run(...more);
      expect([code, stderr]).toEqual([1, expect.stringContaining("A submission with the same metadata")]);
      expect(stderr).toContain(`watch ${id}`);
      expect(stderr).toContain("--new");
      expect(lines).toEqual([{ submission: id }]);
      expect(await openUploads()).toEqual([]);
    }

    test("while it is processed and afterwards, unless --new is stated", async () => {
      const { id } = await accepted();
      await expectRefused(id);
      await service.api.until(id, ["completed"]);
      await expectRefused(id);
      const again = await accepted("--new");
      expect(again.id).not.toBe(id);
      await service.api.until(again.id, ["completed"]);
    });

    test("but not after a file or the metadata have changed", async () => {
      const first = await accepted();
      await appendFile(join(data, "notes.txt"), "d");
      const second = await accepted();
      await writeFile(metadata, JSON.stringify({ ...goodMetadata, title: data, description: "Other metadata." }));
      const third = await accepted();
      for (const { id } of [first, second, third]) await service.api.until(id, ["completed"]);
    });

    test("as another version of a dataset, but not as the first one", async () => {
      const { id, target } = await accepted();
      await service.api.until(id, ["completed"]);
      const version = await accepted("--dataset", target.id);
      expect(version.target).toEqual({ id: target.id, version: 2 });
      await service.api.until(version.id, ["completed"]);
      await expectRefused(version.id, "--dataset", `urn:uuid:${target.id}`);
      await expectRefused(id);
    });
  });

  describe("checksum lists that name files which the folder lacks", () => {
    const line = (path: string, content: string) => `${createHash("sha256").update(content).digest("hex")}  ${path}\n`;

    async function list(name: string, ...lines: string[]): Promise<string> {
      const file = join(folder, name);
      await writeFile(file, lines.join(""));
      return file;
    }

    async function expectRefused(args: string[], ...texts: string[]): Promise<void> {
      const { code, stderr } = await run(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining("Nothing was sent")]);
      for (const text of texts) expect(stderr).toContain(text);
      expect(await openUploads()).toEqual([]);
    }

    test("which are named", async () => {
      const file = await list("SHA256SUMS", line("notes.txt", "ccc"), line("run-1/lost.csv", "d"));
      await expectRefused(["--digests", file], "lacks 1 file of", "run-1/lost.csv", "Add the missing files");
    });

    test("with the folder to state, or to send, if the paths are relative to another one", async () => {
      const below = await list("below", line("plate.csv", "a"), line("layout.csv", "bb"));
      await expectRefused(["--digests", below], "lacks 2 files of", "--digests-base run-1/");
      const { id } = await accepted("--digests", below, "--digests-base", "run-1");
      await service.api.until(id, ["completed"]);
      const above = await list("above", line("barley/run-1/plate.csv", "a"));
      await expectRefused(["--digests", above], "begin with barley/", "upload the folder above it");
    });

    test("also of lists in the folder, whose lines must be usable", async () => {
      await write("run-1/SHA256SUMS", line("plate.csv", "a") + line("lost.csv", "d"));
      await expectRefused(["--digests-key", "run-1/SHA256SUMS"], "lacks 1 file of", "run-1/lost.csv");
      await write("run-1/SHA256SUMS", line("plate.csv", "a") + line("../plate.csv", "a"));
      await expectRefused(["--digests-key", "run-1/SHA256SUMS"], "cannot be used", "line 2:");
      await writeFile(join(data, "run-1/SHA256SUMS"), Buffer.from([0xe9]));
      await expectRefused(["--digests-key", "run-1/SHA256SUMS"], "is not text in UTF-8");
      await expectRefused(["--digests-key", "SHA256SUMS"], "The folder has no checksum list SHA256SUMS");
      await write("run-1/SHA256SUMS", line("plate.csv", "a"));
      const { id } = await accepted("--digests-key", "run-1/SHA256SUMS");
      await service.api.until(id, ["completed"]);
    });
  });
});
