import type { ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { utimesSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { goodMetadata } from "../support/api/api.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { startHttpProxy } from "../support/network/http-proxy.ts";
import { startTcpProxy } from "../support/network/tcp-proxy.ts";
import { runCommand, startCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Hashed while it is sent. */
const LARGE = 24 << 20;
const sha512 = (content: Buffer) => createHash("sha512").update(content).digest("hex");

let service: TestService;
let folder: string;
let data: string;
let file: string;
let large: Buffer;
const tus = new TusClient(() => service.api);

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "accession-upload-"));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  data = await mkdtemp(join(folder, "data-"));
  // Otherwise the command says that the same folder was just submitted.
  await writeFile(join(folder, "dataset.json"), JSON.stringify({ ...goodMetadata, title: data }));
  // The longest path that base64 makes longer than other limits.
  await mkdir(join(data, "a".repeat(250), "b".repeat(250), "c".repeat(250)), { recursive: true });
  file = join(data, "a".repeat(250), "b".repeat(250), "c".repeat(250), "d".repeat(250));
  large = randomBytes(LARGE);
  await writeFile(file, large);
});

const pathOf = (name: string) => name.slice(data.length + 1);
const args = (...more: string[]) => ["upload", data, "--metadata", join(folder, "dataset.json"), ...more];

/** Runs the command against a proxy. `sent` counts the bytes of files in requests. */
async function run(
  hooks: { before?: (request: string, body: Buffer) => void; after?: (request: string) => void } = {},
) {
  let sent = 0;
  await using proxy = await startHttpProxy(
    service.url,
    async (request, body) => {
      if (request.startsWith("PATCH")) sent += body.length;
      await hooks.before?.(request, body);
    },
    async (request) => hooks.after?.(request),
  );
  const ran = await runCommand(args(), folder, { env: { ACCESSION_URL: proxy.url } });
  return { ...ran, sent };
}

/** Interrupts the command after about half of the file. @returns the number of bytes that have arrived */
async function interrupt(): Promise<number> {
  await using proxy = await startTcpProxy(Number(new URL(service.url).port), () => ({
    direction: "up",
    after: LARGE / 2,
    act: "stall",
  }));
  let child: ChildProcess | undefined;
  const ended = startCommand(args(), folder, {
    env: { ACCESSION_URL: `http://127.0.0.1:${proxy.port}` },
    onStart: (started) => {
      child = started;
    },
  });
  const { received } = await halfArrived();
  child?.kill("SIGINT");
  expect((await ended).code).toBe(130);
  return received;
}

async function halfArrived(): Promise<{ received: number }> {
  let received = 0;
  await expect
    .poll(async () => {
      const [upload] = (await service.api.get("/uploads")).json as { id: string }[];
      const { files } =
        upload === undefined ? { files: [] } : (await service.api.get(`/uploads/${upload.id}/files`)).json;
      received = files.length === 0 ? 0 : await tus.offset(files[0].url);
      return received;
    })
    .toBeGreaterThan(LARGE / 3);
  return { received };
}

async function expectArchived(
  { code, stderr, lines }: Awaited<ReturnType<typeof run>>,
  content: Buffer,
): Promise<void> {
  expect([code, stderr]).toEqual([0, ""]);
  const { id } = await service.api.until(lines.at(-1).id, ["completed"]);
  const stored = (await service.api.files(id)).map((one) => [one.sha512, one.verifiedWith]);
  expect(stored).toEqual([[sha512(content), "sha512"]]);
}

function expectRefused({ code, stderr, lines }: Awaited<ReturnType<typeof run>>, reason: string): void {
  expect([code, stderr]).toMatchObject([1, expect.stringContaining("Nothing was submitted")]);
  expect(lines).toContainEqual(
    expect.objectContaining({ path: pathOf(file), result: "failed", reason: expect.stringContaining(reason) }),
  );
}

test("the same command sends only the rest, and states the digest when all has arrived", async () => {
  const received = await interrupt();
  const again = await run();
  await expectArchived(again, large);
  expect(again.sent).toBeLessThanOrEqual(LARGE - received);
});

test("a file that was changed since is sent from the beginning", async () => {
  await interrupt();
  const other = randomBytes(LARGE);
  await writeFile(file, other);
  const again = await run();
  await expectArchived(again, other);
  expect(again.sent).toBe(LARGE);
});

test("a file that was changed since, and has the time of before, is found by its digest and sent again", async () => {
  const { atime, mtime } = await stat(file);
  await utimes(file, atime, mtime);
  await interrupt();
  const other = randomBytes(LARGE);
  await writeFile(file, other);
  await utimes(file, atime, mtime);
  const again = await run();
  await expectArchived(again, other);
  expect(again.sent).toBeGreaterThan(LARGE);
});

test("bytes that were damaged on the way are sent again", async () => {
  let damaged = 0;
  const ran = await run({
    before: (request, body) => {
      if (request.startsWith("PATCH") && damaged++ === 0) body.writeUInt8(body.readUInt8(1_000_000) ^ 1, 1_000_000);
    },
  });
  await expectArchived(ran, large);
  expect(damaged).toBe(2);
});

test("bytes that are damaged each time are an error that names the file, and nothing is submitted", async () => {
  const ran = await run({
    before: (request, body) => {
      if (request.startsWith("PATCH")) body.writeUInt8(body.readUInt8(1_000_000) ^ 1, 1_000_000);
    },
  });
  expectRefused(ran, "do not have their digest");
  await expectArchived(await run(), large);
});

test.each([
  ["to create the file", /^POST .*\/files$/, 1],
  ["to its bytes", /^PATCH/, 1],
  ["to its digest", /^POST .*\/files$/, 2],
])("an answer %s that was lost does not matter", async (_, lost, nth) => {
  let seen = 0;
  const ran = await run({
    after: (request) => {
      if (lost.test(request) && ++seen === nth) throw new Error("The answer is lost");
    },
  });
  await expectArchived(ran, large);
  expect(seen).toBeGreaterThanOrEqual(nth);
  // All bytes had arrived; the last one counts when they are compared.
  expect(ran.sent).toBeLessThanOrEqual(LARGE + 1);
});

test("a complete file of which no digest was stated is compared, and not sent again", async () => {
  const { files } = await tus.upload();
  await tus.send(files, pathOf(file), large, { sha512: null });
  const ran = await run();
  await expectArchived(ran, large);
  expect(ran.sent).toBe(0);
});

test("a file that is changed while it is sent is named, and nothing is submitted", async () => {
  const ran = await run({
    before: (request) => {
      if (!request.startsWith("PATCH")) return;
      // The proxy has the whole body, and the service does not have it yet.
      utimesSync(file, new Date(), new Date(Date.now() + 60_000));
    },
  });
  expectRefused(ran, "it was changed while it was read");
  expect(ran.stderr).toContain("Wait until no program writes to these files");
  await expectArchived(await run(), await readFile(file));
});

test.each([
  ["is gone", () => rm(file)],
  ["has changed and is then removed", () => writeFile(file, "shorter")],
])("after a file %s before it is sent, the same command continues the upload of the others", async (_, change) => {
  await writeFile(join(data, "small"), "abc");
  let upload: string | undefined;
  const refused = await run({
    before: async (request) => {
      // After the folder was read.
      if (request !== "POST /uploads" || upload !== undefined) return;
      upload = "";
      await change();
    },
  });
  expect([refused.code, refused.stderr]).toMatchObject([1, expect.stringContaining("Nothing was submitted")]);
  [{ id: upload }] = (await service.api.get("/uploads")).json;
  await rm(file, { force: true });
  const again = await run();
  expect([again.code, again.lines.at(-1).source.bucket]).toEqual([0, upload]);
  expect(again.lines).toContainEqual(expect.objectContaining({ path: "small", result: "present" }));
  await service.api.until(again.lines.at(-1).id, ["completed"]);
});

test("without a digest, a file is the same one if its time is the same", async () => {
  const { id, files } = await tus.upload();
  const create = (more: Record<string, string>) => tus.create(files, "a", LARGE, more);
  const first = await create({ lastModified: "1795988320021" });
  const again = await create({ lastModified: "1795988320021", other: "x" });
  expect([first, again].map(({ status, headers }) => [status, headers.get("location")])).toEqual([
    [201, `${files}/1`],
    [201, `${files}/1`],
  ]);
  for (const other of [{ lastModified: "1795988320022" }, {}, { sha512: sha512(large) }])
    expect(await create(other)).toMatchObject({ status: 409, code: "upload_path_taken" });
  await tus.patch(`${files}/1`, 0, large);
  expect(await create({ sha512: sha512(large) })).toMatchObject({ status: 201 });
  // Now its digest is known.
  expect(await create({ lastModified: "1795988320021" })).toMatchObject({ status: 409, code: "upload_path_taken" });
  await tus.request("DELETE", `/uploads/${id}`);
});

test.each([
  ["the upload", /^GET \/uploads\/[0-9a-f-]{36}$/],
  ["its files", /^GET \/uploads\/[0-9a-f-]{36}\/files$/],
])("Ctrl-C while the command compares %s submits nothing", async (_, isIt) => {
  let child: ChildProcess | undefined;
  let isSent = false;
  await using proxy = await startHttpProxy(service.url, async (request) => {
    if (request.startsWith("PATCH")) isSent = true;
    if (isSent && isIt.test(request)) child?.kill("SIGINT");
  });
  const { code, stderr } = await startCommand(args(), folder, {
    env: { ACCESSION_URL: proxy.url },
    onStart: (started) => {
      child = started;
    },
  });
  expect([code, stderr]).toMatchObject([130, expect.stringContaining("Nothing was submitted")]);
  const [upload] = (await service.api.get("/uploads")).json;
  expect(upload.submission).toBeNull();
  await expectArchived(await run(), large);
});
