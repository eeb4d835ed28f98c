import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const MIB = 1 << 20;

interface UppyFile {
  id: string;
  meta: { relativePath: string };
  isPaused?: boolean;
  tus?: { uploadUrl?: string };
}

/** What is used of Uppy. */
interface UppyCore {
  use(plugin: unknown, options: object): void;
  addFile(file: { name: string; data: Buffer; meta: object }): string;
  getFile(id: string): UppyFile;
  on(event: "upload-progress", listener: (file: UppyFile, progress: { bytesUploaded: number }) => void): void;
  pauseResume(id: string): void;
  upload(): Promise<{ successful: UppyFile[]; failed: UppyFile[] }>;
  destroy(): void;
}

/** Its own types are not used, because they would bring those of browsers into all programs and tests. */
async function partsOfUppy(): Promise<{ Uppy: new () => UppyCore; Tus: unknown }> {
  const [core, tus] = await Promise.all(["@uppy/core", "@uppy/tus"].map((name) => import(name)));
  return { Uppy: core.default, Tus: tus.default };
}

describe("the core of Uppy without its interface", () => {
  let service: TestService;
  const tus = new TusClient(() => service.api);

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** Uppy with files as applications add them, and with the digests that this service compares. */
  async function uppyFor(files: string, contents: Record<string, Buffer>): Promise<UppyCore> {
    const { Uppy, Tus } = await partsOfUppy();
    const uppy = new Uppy();
    uppy.use(Tus, { endpoint: service.url + files, chunkSize: MIB });
    for (const [relativePath, data] of Object.entries(contents)) {
      const name = relativePath.split("/").at(-1) ?? "";
      uppy.addFile({ name, data, meta: { relativePath, sha512: sha512(data) } });
    }
    return uppy;
  }

  /** Resolves with the file when this many bytes of one have been sent. */
  function sentOf(uppy: UppyCore, bytes: number): Promise<UppyFile> {
    return new Promise((resolve) => {
      uppy.on("upload-progress", (file, { bytesUploaded }) => bytesUploaded >= bytes && resolve(file));
    });
  }

  async function expectArchived(id: string, contents: Record<string, Buffer>): Promise<void> {
    const { status, json } = await tus.submit(id);
    expect(status).toBe(202);
    await service.api.until(json.id, ["completed"]);
    const archived = (await service.api.files(json.id)).map((file) => [file.key, file.sha512, file.verifiedWith]);
    expect(archived).toEqual(Object.entries(contents).map(([path, bytes]) => [path, sha512(bytes), "sha512"]));
  }

  test("uploads files, is paused in the middle, and continues where it was", async () => {
    const { id, files } = await tus.upload();
    const contents = { "plots/2025.csv": Buffer.from("plot;depth\n1;20\n"), "scans/large.bin": randomBytes(20 * MIB) };
    const uppy = await uppyFor(files, contents);
    const paused = sentOf(uppy, 2 * MIB).then(({ id: file }) => {
      uppy.pauseResume(file);
      return uppy.getFile(file);
    });
    const uploading = uppy.upload();
    const large = await paused;
    expect(large).toMatchObject({ isPaused: true, meta: { relativePath: "scans/large.bin" } });
    const at = new URL(large.tus?.uploadUrl ?? expect.fail("no address")).pathname;
    const offset = await tus.offset(at);
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThan(20 * MIB);
    uppy.pauseResume(large.id);
    const { successful, failed } = await uploading;
    expect([successful.length, failed]).toEqual([2, []]);
    uppy.destroy();
    await expectArchived(id, contents);
  });

  test("continues in a new window, after the service was restarted in the middle", async () => {
    const { id, files } = await tus.upload();
    const contents = { "scans/large.bin": randomBytes(20 * MIB) };
    const first = await uppyFor(files, contents);
    const begun = sentOf(first, 2 * MIB);
    const interrupted = first.upload();
    await begun;
    await service.restart();
    // It gives up, because the service has another address now. Destroying it would remove the file from the upload.
    expect(await interrupted).toMatchObject({ successful: [] });
    const { json } = await service.api.get(files);
    expect(json.files).toMatchObject([{ path: "scans/large.bin", completedAt: null }]);
    expect(json.files[0].receivedBytes).toBeGreaterThan(0);

    const second = await uppyFor(files, contents);
    const { successful, failed } = await second.upload();
    expect([successful.length, failed]).toEqual([1, []]);
    second.destroy();
    await expectArchived(id, contents);
  });
});
