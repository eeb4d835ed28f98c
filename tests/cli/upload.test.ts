import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { goodMetadata } from "../support/api/api.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { startHttpProxy } from "../support/network/http-proxy.ts";
import { startTcpProxy } from "../support/network/tcp-proxy.ts";
import { runCommand, startCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const SMALL: Record<string, string> = {
  "README.md": "# Plots",
  "plots/2025.csv": "plot;depth\n1;20\n",
  "plots/Zürich 1.csv": "3;4",
  empty: "",
};
/** More than is sent in the request that creates a file. */
const LARGE = 9 << 20;

describe("accession upload", () => {
  let service: TestService;
  let folder: string;
  let data: string;
  let metadata: string;
  const tus = new TusClient(() => service.api);

  beforeAll(async () => {
    service = await startTestService();
    folder = await mkdtemp(join(tmpdir(), "accession-upload-"));
    metadata = join(folder, "dataset.json");
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    data = await mkdtemp(join(folder, "data-"));
    // Otherwise the command says that the same folder was just submitted.
    await writeFile(metadata, JSON.stringify({ ...goodMetadata, title: data }));
    for (const [path, text] of Object.entries(SMALL)) await write(path, text);
  });

  async function write(path: string, content: string | Buffer): Promise<void> {
    await mkdir(dirname(join(data, path)), { recursive: true });
    await writeFile(join(data, path), content);
  }

  function run(...more: string[]) {
    const args = ["upload", data, "--metadata", metadata, ...more];
    return runCommand(args, folder, { env: { ACCESSION_URL: service.url } });
  }

  const sha512 = (content: string | Buffer) => createHash("sha512").update(content).digest("hex");
  const results = (lines: { path?: string; result?: string }[]) =>
    Object.fromEntries(lines.flatMap(({ path, result }) => (path === undefined ? [] : [[path, result]])));
  const openUploads = async () => (await service.api.get("/uploads")).json as { id: string; fileCount: number }[];

  test("sends a folder, and the submission archives exactly its files", async () => {
    const large = randomBytes(LARGE);
    await write("images/large.bin", large);
    const { code, lines, stderr } = await run();
    expect([code, stderr]).toEqual([0, ""]);
    expect(new Set(Object.values(results(lines)))).toEqual(new Set(["sent"]));
    const submission = lines.at(-1);
    const done = await service.api.until(submission.id, ["completed"]);
    const found = (await service.api.files(done.id)).map((file) => [file.key, file.sha512, file.verifiedWith]);
    const expected = { ...SMALL, "images/large.bin": large };
    expect(found.toSorted()).toEqual(
      Object.entries(expected)
        .map(([path, content]) => [path, sha512(content), "sha512"])
        .toSorted(),
    );
  });

  test("continues an upload with these files, and sends only what is missing or has changed", async () => {
    const large = randomBytes(LARGE);
    await write("large.bin", large);
    const { id, files } = await tus.upload();
    await tus.send(files, "README.md", Buffer.from(SMALL["README.md"] ?? ""));
    await tus.send(files, "plots/2025.csv", Buffer.from("an earlier text"));
    const { at } = await tus.file(files, "large.bin", large);
    await tus.patch(at, 0, large.subarray(0, 5 << 20));
    const { code, lines, stderr } = await run();
    expect([code, stderr]).toEqual([0, ""]);
    expect(results(lines)).toEqual({
      "README.md": "present",
      "plots/2025.csv": "sent",
      "plots/Zürich 1.csv": "sent",
      empty: "sent",
      "large.bin": "sent",
    });
    expect(lines.at(-1)).toMatchObject({ source: { bucket: id } });
    const done = await service.api.until(lines.at(-1).id, ["completed"]);
    const stored = (await service.api.files(done.id)).map((file) => [file.key, file.sha512]);
    expect(stored).toContainEqual(["large.bin", sha512(large)]);
    expect(stored).toContainEqual(["plots/2025.csv", sha512(SMALL["plots/2025.csv"] ?? "")]);
  });

  test("checks the metadata also if the upload has complete files, and submits nothing before all have arrived", async () => {
    const { id, files } = await tus.upload();
    await tus.send(files, "README.md", Buffer.from(SMALL["README.md"] ?? ""));
    const before = await openUploads();
    const wrong = join(folder, "without-title.json");
    await writeFile(wrong, JSON.stringify({ ...goodMetadata, title: "" }));
    const refused = await runCommand(["upload", data, "--metadata", wrong], folder, {
      env: { ACCESSION_URL: service.url },
    });
    expect([refused.code, refused.stderr]).toMatchObject([1, expect.stringContaining("/title")]);
    expect(await openUploads()).toEqual(before);
    const { code, lines } = await run();
    expect([code, lines.at(-1).source.bucket]).toEqual([0, id]);
    await service.api.until(lines.at(-1).id, ["completed"]);
  });

  test("leaves uploads alone that have other files, except for the one that is named", async () => {
    const { id, files } = await tus.upload();
    await tus.send(files, "README.md", Buffer.from(SMALL["README.md"] ?? ""));
    await tus.send(files, "of another dataset", Buffer.from("abc"));
    const { code, lines } = await run();
    expect(code).toBe(0);
    expect(lines.at(-1).source.bucket).not.toBe(id);
    expect(await openUploads()).toContainEqual(expect.objectContaining({ id, fileCount: 2 }));
    const named = await run("--upload", id);
    expect(named.code).toBe(0);
    expect(named.lines.at(-1).source.bucket).toBe(id);
    const done = await service.api.until(named.lines.at(-1).id, ["completed"]);
    expect((await service.api.files(done.id)).map(({ key }) => key).toSorted()).toEqual(Object.keys(SMALL).toSorted());
    const again = await run("--upload", id);
    expect([again.code, again.stderr]).toMatchObject([1, expect.stringContaining("belongs to the submission")]);
  });

  test("wrong metadata are refused before anything is sent", async () => {
    const wrong = join(folder, "wrong.json");
    await writeFile(wrong, JSON.stringify({ ...goodMetadata, title: "" }));
    const before = (await openUploads()).length;
    const { code, stderr } = await runCommand(["upload", data, "--metadata", wrong], folder, {
      env: { ACCESSION_URL: service.url },
    });
    expect([code, stderr]).toMatchObject([1, expect.stringContaining("/title")]);
    expect(await openUploads()).toHaveLength(before);
  });

  test("entries that are not files are named, and left out only on request", async () => {
    await symlink("README.md", join(data, "link"));
    await mkdir(join(data, "nothing"));
    const { code, stderr } = await run();
    expect([code, stderr]).toMatchObject([2, expect.stringContaining("link (symbolic link)")]);
    const without = await run("--skip-others");
    expect([without.code, without.stderr]).toMatchObject([0, expect.stringContaining("link (symbolic link)")]);
    expect(without.stderr).toMatch(/1 folder without files is not part of the dataset\n +nothing\n/);
    expect(Object.keys(results(without.lines)).toSorted()).toEqual(Object.keys(SMALL).toSorted());
  });

  test.each(["0198f0c2-5d4e-7aaa-8000-6f1c3b9a2d10", "not-an-id"])(
    "an unknown upload is named, and where to find others: %s",
    async (id) => {
      const { code, stderr } = await run("--upload", id);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`You have no upload with the id ${id}`)]);
      expect(stderr).toContain("uploads list");
    },
  );

  test("wrong usage names the help of the command", async () => {
    const { code, stderr } = await runCommand(["upload"], folder, { env: { ACCESSION_URL: service.url } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("(Run “accession upload --help” for help.)")]);
  });

  test("a folder that is missing or empty, or a file, is wrong usage", async () => {
    const file = await runCommand(["upload", metadata, "--metadata", metadata], folder);
    expect([file.code, file.stderr]).toEqual([2, expect.stringContaining("Put the file into a folder")]);
    await rm(data, { recursive: true });
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining("no such file or folder") });
    await mkdir(data);
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringContaining("no files") });
  });

  test("Ctrl-C keeps what has arrived, and the same command sends the rest", async () => {
    const large = randomBytes(4 * LARGE);
    await write("large.bin", large);
    await using proxy = await startTcpProxy(Number(new URL(service.url).port), () => ({
      direction: "up",
      after: 2 * LARGE,
      act: "stall",
    }));
    let child: ChildProcess | undefined;
    const ended = startCommand(["upload", data, "--metadata", metadata], folder, {
      env: { ACCESSION_URL: `http://127.0.0.1:${proxy.port}` },
      onStart: (started) => {
        child = started;
      },
    });
    let upload: { id: string } | undefined;
    await expect
      .poll(async () => {
        [upload] = await openUploads();
        if (upload === undefined) return 0;
        const { files } = (await service.api.get(`/uploads/${upload.id}/files`)).json;
        const [file] = files.filter((one: { path: string }) => one.path === "large.bin");
        return file === undefined ? 0 : tus.offset(file.url);
      })
      .toBeGreaterThan(LARGE);
    child?.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, stderr]).toMatchObject([130, expect.stringContaining("run the same command again")]);
    const again = await run();
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.lines.at(-1).source.bucket).toBe(upload?.id);
    const done = await service.api.until(again.lines.at(-1).id, ["completed"]);
    const stored = (await service.api.files(done.id)).map((file) => [file.key, file.sha512]);
    expect(stored).toContainEqual(["large.bin", sha512(large)]);
  });

  /** Writes small files, of which a batch has at most 500. */
  async function writeMany(count: number): Promise<void> {
    for (let n = 0; n < count; n++) await write(`many/${n}`, randomBytes(2_000));
  }

  test("small files are sent in batches, also over connections that break in the middle of one", async () => {
    await writeMany(1_100);
    // Requests without batches are smaller.
    let left = 4;
    await using proxy = await startTcpProxy(Number(new URL(service.url).port), () =>
      left-- > 0 ? { direction: "up", after: 700_000, act: "reset" } : undefined,
    );
    const { code, lines, stderr } = await runCommand(["upload", data, "--metadata", metadata], folder, {
      env: { ACCESSION_URL: `http://127.0.0.1:${proxy.port}` },
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(lines.filter(({ result }) => result === "sent")).toHaveLength(1_104);
    // Fewer than a request for each file.
    expect(proxy.connections()).toBeLessThan(50);
    const done = await service.api.until(lines.at(-1).id, ["completed"]);
    expect(done.progress.objectsStored).toBe(1_104);
  });

  test("Ctrl-C in the middle of a batch keeps what has arrived, and the same command sends the rest", async () => {
    await writeMany(600);
    await using proxy = await startTcpProxy(Number(new URL(service.url).port), () => ({
      direction: "up",
      after: 500_000,
      act: "stall",
    }));
    let child: ChildProcess | undefined;
    const ended = startCommand(["upload", data, "--metadata", metadata], folder, {
      env: { ACCESSION_URL: `http://127.0.0.1:${proxy.port}` },
      onStart: (started) => {
        child = started;
      },
    });
    await expect.poll(async () => (await openUploads())[0]?.fileCount ?? 0).toBeGreaterThan(100);
    const [upload] = await openUploads();
    child?.kill("SIGINT");
    const { code, stderr } = await ended;
    expect([code, stderr]).toMatchObject([130, expect.stringContaining("run the same command again")]);
    const again = await run();
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(again.lines.at(-1).source.bucket).toBe(upload?.id);
    const present = again.lines.filter(({ result }) => result === "present");
    expect(present.length).toBeGreaterThan(100);
    const done = await service.api.until(again.lines.at(-1).id, ["completed"]);
    expect(done.progress.objectsStored).toBe(604);
  });

  describe("nothing is submitted if another program changes the upload", () => {
    /** Runs the command, and `meanwhile` before the request that the function names. */
    async function runWhile(isIt: (request: string) => boolean, meanwhile: (upload: string) => Promise<unknown>) {
      let upload = "";
      await using proxy = await startHttpProxy(service.url, async (request) => {
        if (!isIt(request)) return;
        // The newest.
        upload = (await openUploads())[0]?.id ?? "";
        await meanwhile(upload);
      });
      const args = ["upload", data, "--metadata", metadata, "--new"];
      const ran = await runCommand(args, folder, { env: { ACCESSION_URL: proxy.url } });
      return { ...ran, upload };
    }

    async function expectRefused({ code, stderr, upload }: Awaited<ReturnType<typeof runWhile>>): Promise<void> {
      expect([code, stderr]).toMatchObject([1, expect.stringContaining("Another program has changed the upload")]);
      expect(stderr).toContain("Nothing was submitted");
      expect(stderr).toContain(`--upload ${upload}`);
      expect(await openUploads()).toContainEqual(expect.objectContaining({ id: upload }));
      const again = await run("--upload", upload);
      expect([again.code, again.stderr]).toEqual([0, ""]);
      const done = await service.api.until(again.lines.at(-1).id, ["completed"]);
      const stored = (await service.api.files(done.id)).map((file) => [file.key, file.sha512]);
      expect(stored.toSorted()).toEqual(
        Object.entries(SMALL)
          .map(([path, content]) => [path, sha512(content)])
          .toSorted(),
      );
    }

    const filesOf = (upload: string) => `/uploads/${upload}/files`;

    test("after it has compared the files", async () => {
      let submissions = 0;
      const ran = await runWhile(
        // The first one only lets the service check the metadata.
        (request) => request === "POST /submission/upload/s3upload" && ++submissions === 2,
        (upload) => tus.send(filesOf(upload), "other", Buffer.from("abc")),
      );
      expect(submissions).toBe(2);
      await expectRefused(ran);
    });

    test.each([
      ["adds", async (files: string) => void (await tus.send(files, "other", Buffer.from("abc")))],
      [
        "replaces",
        async (files: string) => {
          const { json } = await service.api.get(files);
          const { url } = json.files.find(({ path }: { path: string }) => path === "README.md");
          await tus.request("DELETE", url);
          await tus.send(files, "README.md", Buffer.from("# Other"));
        },
      ],
      [
        "removes",
        async (files: string) => {
          const { json } = await service.api.get(files);
          await tus.request("DELETE", json.files[0].url);
        },
      ],
    ])("before that: it %s a file", async (_, change) => {
      let sent = 0;
      const ran = await runWhile(
        // The first request after the batch.
        (request) => (sent > 0 || request.endsWith("/batch")) && ++sent === 2,
        (upload) => change(filesOf(upload)),
      );
      await expectRefused(ran);
    });
  });

  test("a file that the service refuses is named, and the others of its batch have arrived", async () => {
    await write("a\nb", "abc");
    const { code, lines, stderr } = await run();
    expect([code, stderr]).toMatchObject([1, expect.stringContaining("1 of 5 files could not be sent")]);
    expect(results(lines)).toEqual({
      ...Object.fromEntries(Object.keys(SMALL).map((path) => [path, "sent"])),
      "a\nb": "failed",
    });
    await rm(join(data, "a\nb"));
    const again = await run();
    expect(new Set(Object.values(results(again.lines)))).toEqual(new Set(["present"]));
    await service.api.until(again.lines.at(-1).id, ["completed"]);
  });
});
