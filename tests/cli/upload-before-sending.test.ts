import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { goodMetadata } from "../support/api/api.ts";
import { TusClient } from "../support/api/tus-client.ts";
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
  const tus = new TusClient(() => service.api);
  const openUploads = async () => (await service.api.get("/uploads")).json as { id: string }[];
  const accepted = async (...more: string[]) => {
    const { code, lines, stderr } = await run(...more);
    expect([code, stderr]).toEqual([0, ""]);
    return lines.at(-1) as { id: string; target: { id: string; version: number } };
  };

  describe("a folder that was just submitted", () => {
    async function expectRefused(id: string, ...more: string[]): Promise<string> {
      const { code, lines, stderr } = await run(...more);
      expect([code, stderr]).toEqual([1, expect.stringContaining("files with the same paths and sizes. Nothing was")]);
      expect(lines).toEqual([{ submittedBefore: expect.objectContaining({ id }) }]);
      expect(await openUploads()).toEqual([]);
      return stderr;
    }

    test("while it is processed and afterwards, unless --new is stated", async () => {
      const { id } = await accepted();
      const words = await expectRefused(id);
      expect(words).toContain(`status ${id}`);
      const { id: upload, files } = await tus.upload();
      await tus.send(files, "notes.txt", Buffer.from("ccc"));
      const { code, stderr } = await run();
      expect([code, stderr]).toEqual([1, expect.stringContaining("Nothing was sent")]);
      await service.api.send(`/uploads/${upload}`, { method: "DELETE" });
      await service.api.until(id, ["completed"]);
      await expectRefused(id);
      const again = await accepted("--new");
      expect(again.id).not.toBe(id);
      await service.api.until(again.id, ["completed"]);
    });

    test("but not after the size or name of a file, the metadata or the lists have changed", async () => {
      const submitted = [await accepted()];
      await appendFile(join(data, "notes.txt"), "d");
      submitted.push(await accepted());
      await rename(join(data, "notes.txt"), join(data, "notes.md"));
      submitted.push(await accepted());
      await writeFile(metadata, JSON.stringify({ ...goodMetadata, title: data, description: "Other metadata." }));
      submitted.push(await accepted());
      submitted.push(await accepted("--digests", await list("first", line("run-1/plate.csv", "a"))));
      for (const { id } of submitted) await service.api.until(id, ["completed"]);
      await rename(join(data, "notes.md"), join(data, "notes.txt"));
      const { id } = await accepted();
      await service.api.until(id, ["completed"]);
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

    test("and that waits, with how to send corrected files instead", async () => {
      const file = await list("sums-of-others", line("notes.txt", "other"));
      const { id } = await accepted("--digests", file);
      await service.api.until(id, ["waiting"]);
      const words = await expectRefused(id, "--digests", file);
      expect(words).toContain(`status ${id}`);
      expect(words).toContain(`cancel ${id}`);
      await service.api.post(`/submission/${id}/cancel`);
      await service.api.until(id, ["cancelled"]);
      await write("notes.txt", "other");
      // The upload is returned, and continued.
      const again = await accepted("--digests", file);
      await service.api.until(again.id, ["completed"]);
    });
  });

  const line = (path: string, content: string) => `${createHash("sha256").update(content).digest("hex")}  ${path}\n`;

  async function list(name: string, ...lines: string[]): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, lines.join(""));
    return file;
  }

  describe("checksum lists that name files which the folder lacks", () => {
    async function expectRefused(args: string[], ...texts: string[]) {
      const { code, stderr, lines } = await run(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining("Nothing was sent")]);
      for (const text of texts) expect(stderr).toContain(text);
      expect(await openUploads()).toEqual([]);
      return lines;
    }

    async function expectAccepted(...args: string[]): Promise<void> {
      const { id } = await accepted(...args);
      await service.api.until(id, ["completed"]);
    }

    test("which are named", async () => {
      const file = await list("SHA256SUMS", line("notes.txt", "ccc"), line("run-1/lost.csv", "d"));
      const lines = await expectRefused(["--digests", file], "lacks 1 file of", "run-1/lost.csv", "Add the missing");
      expect(lines).toEqual([{ missingFiles: { keys: ["run-1/lost.csv"], complete: true } }]);
    });

    test("with the folder to state, if the paths are relative to another one", async () => {
      const below = await list("below", line("plate.csv", "a"), line("layout.csv", "bb"));
      await expectRefused(["--digests", below], "lacks 2 files of", "--digests-base run-1/");
      await expectRefused(["--digests", below, "--digests-base", "run-2"], "--digests-base run-1/");
      await expectAccepted("--digests", below, "--digests-base", "run-1");
      await write("run-1/SHA256SUMS", line("run-1/plate.csv", "a"));
      await expectRefused(["--digests-key", "run-1/SHA256SUMS"], "the whole folder, use --digests-base /");
      await expectAccepted("--digests-key", "run-1/SHA256SUMS", "--digests-base", "/");
    });

    test("with no folder that explains only some of them, or one of several lists, or a part of a list", async () => {
      const two = await list("two", line("plate.csv", "a"), line("lost.csv", "d"));
      await expectRefused(["--digests", two], "lacks 2 files of", "Add the missing files");
      const top = await list("top", line("notes.txt", "ccc"));
      const below = await list("below", line("plate.csv", "a"));
      await expectRefused(["--digests", top, "--digests", below], "lacks 1 file of", "Add the missing files");
      const part = await list("part", line("notes.txt", "ccc"), line("plate.csv", "a"));
      await expectRefused(["--digests", part], "lacks 1 file of", "Add the missing files");
    });

    test("with the folders that are possible, if they are several", async () => {
      await write("run-2/plate.csv", "a");
      const file = await list("below", line("plate.csv", "a"));
      await expectRefused(["--digests", file], "run-1/, to run-2/ or", "state the folder with --digests-base");
    });

    test.each([
      ["in the folder above", "barley/run-1/plate.csv", "The paths in the list begin with “barley/”"],
      ["on Windows", "run-1\\plate.csv", "Write “/” instead of “\\” between folders"],
      ["by find run-1/.", "run-1/./plate.csv", "The list has paths with “/./”"],
      ["in another form of Unicode", "Zu\u0308rich.csv", "another form of Unicode"],
    ])("with the likely cause, if the list was made %s", async (_, path, cause) => {
      await write("Z\u00fcrich.csv", "a");
      await expectRefused(["--digests", await list("others", line(path, "a"))], cause);
    });

    test("also of lists in the folder, which must be usable", async () => {
      const key = ["--digests-key", "run-1/SHA256SUMS"];
      await write("run-1/SHA256SUMS", line("plate.csv", "a") + line("lost.csv", "d"));
      await expectRefused(key, "lacks 1 file of", "run-1/lost.csv");
      await write("run-1/SHA256SUMS", line("plate.csv", "a") + line("../plate.csv", "a"));
      await expectRefused(key, "cannot be used", "line 2:");
      await writeFile(join(data, "run-1/SHA256SUMS"), Buffer.from([0xe9]));
      await expectRefused(key, "is not text in UTF-8");
      await write("run-1/SHA256SUMS", "\n");
      await expectRefused(key, "It names no files");
      await write("run-1/sums.txt", "no checksums\nat all\n");
      await expectRefused(["--digests-key", "run-1/sums.txt"], "Its format cannot be told");
      await writeFile(join(data, "run-1/SHA256SUMS"), "a".repeat(1_000_000));
      await expectRefused(key, "is longer than");
      await expectRefused(
        ["--digests-key", "./run-1/SHA256SUMS"],
        "The folder has no checksum list",
        "below the folder",
      );
      await write("run-1/SHA256SUMS", line("plate.csv", "a"));
      await expectAccepted(...key);
    });

    test("and lists that name themselves, as those that were made in the folder", async () => {
      const text = line("notes.txt", "ccc") + line("SHA256SUMS", "");
      await write("SHA256SUMS", text);
      await expectRefused(["--digests-key", "SHA256SUMS"], "names itself", "> ../SHA256SUMS");
      await expectRefused(["--digests", join(data, "SHA256SUMS")], "names itself");
      const other = await list("SHA256SUMS", line("SHA256SUMS", text));
      await expectAccepted("--digests", other);
    });

    test("also of the manifests of a bag, unless they are ignored", async () => {
      await write("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
      await write("data/a%b.csv", "a");
      await write("manifest-sha256.txt", line("data/a%25b.csv", "a") + line("data/lost.csv", "d"));
      await expectRefused([], "lacks 1 file of", "data/lost.csv", "Add the missing files");
      await write("fetch.txt", "https://example.org/lost.csv 1 data/lost.csv\n");
      await expectRefused([], "fetch.txt");
      await expectAccepted("--no-digests");
      await write("manifest-sha256.txt", line("data/a%25b.csv", "a"));
      await expectAccepted();
      await write("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: ISO-8859-1\n");
      await expectRefused([], "The bag states the encoding iso-8859-1", "--no-digests");
    });

    test("but not of a bag whose manifests the service does not use", async () => {
      await write("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
      await write("tagmanifest-sha256.txt", line("bag-info.txt", "lost"));
      await write("manifest-blake2b.txt", "abc  data/lost.csv\n");
      await expectAccepted();
      await write("manifest-sha256.txt", "");
      await expectRefused([], "bag-info.txt");
    });
  });
});
