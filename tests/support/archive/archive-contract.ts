import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openInventory, writeObjectDeclaration, writeSidecar } from "../../../packages/ocfl/src/index.ts";
import { openContentWriter } from "../../../src/archive/content-writer.ts";
import { newestChange } from "../../../src/archive/identity/changes.ts";
import { Lease, readClocks } from "../../../src/archive/lease.ts";
import type { ArchiveReader } from "../../../src/archive/reader.ts";
import { writeLogsManifest } from "../../../src/archive/receipts/logs.ts";
import type { Receipt } from "../../../src/archive/receipts/receipt.ts";
import { makeSigningKey, type SigningKey, signReceipt } from "../../../src/archive/receipts/signing.ts";
import type { Tombstone } from "../../../src/archive/receipts/tombstone.ts";
import { Bucket } from "../../../src/archive/s3/bucket.ts";
import type { S3Location } from "../../../src/archive/s3/layout.ts";
import { S3Links } from "../../../src/archive/s3/links.ts";
import { S3Reader } from "../../../src/archive/s3/reader.ts";
import { S3Store } from "../../../src/archive/s3/store.ts";
import type { ArchiveStore, PackageArea } from "../../../src/archive/store.ts";
import { checkRoot } from "../../../src/archive/validation/check-root.ts";
import { sha512 } from "./package.ts";

const MIB = 1024 * 1024;
/** A lease that never expires, because the attempts of these tests stay active. */
const forever = new Lease(readClocks(), Number.POSITIVE_INFINITY);

/** An archive store, with its links and a reader. */
export interface OpenArchive {
  store: ArchiveStore;
  links: S3Links;
  reader: ArchiveReader;
  close(): Promise<void>;
}

/** The bucket that {@link openInBucket} requires. */
export const contractBucket = "contract";

/** Opens an archive in a bucket of this server. */
export async function openInBucket(server: {
  endpoint: string;
  accessKey: string;
  secretKey: string;
  close: () => Promise<void>;
}): Promise<OpenArchive> {
  const { endpoint, accessKey, secretKey } = server;
  const place: S3Location = {
    bucket: contractBucket,
    prefix: "a/b",
    endpoint,
    region: "us-east-1",
    credentials: { accessKey, secretKey },
  };
  const scratch = await mkdtemp(join(tmpdir(), "accession-scratch-"));
  const store = await S3Store.open(place, scratch, { lateMs: 0 });
  const links = new S3Links({ place, scratch });
  const bucket = await Bucket.open(place, 8);
  return {
    store,
    links,
    reader: new S3Reader(bucket),
    async close() {
      await links.close();
      bucket.close();
      await store.close();
      await server.close();
    },
  };
}

/** Defines the tests that every implementation of an archive store must pass. */
export function archiveContract(open: () => Promise<OpenArchive>): void {
  let kept: OpenArchive;
  let store: ArchiveStore;

  let key: SigningKey;

  beforeAll(async () => {
    kept = await open();
    store = kept.store;
    key = await makeSigningKey();
  });
  afterAll(() => kept?.close());

  const ids = () => ({ submission: randomUUID(), dataset: randomUUID() });
  type Ids = ReturnType<typeof ids>;

  async function place(which: Ids, attempt: number, objects: Record<string, string>, odd = false) {
    const area = store.staging(which.submission, which.dataset, 1);
    await area.begin(attempt);
    const writer = await openContentWriter(area.writerOptions(attempt), kept.links, forever);
    const places: Record<string, string> = {};
    for (const [key, content] of Object.entries(objects)) {
      places[key] = (await writer.store(key, odd, Buffer.from(content))) ?? `data/${key}`;
    }
    await area.sync(Object.values(places));
    return places;
  }

  /** The receipt of the latest package of each dataset. */
  const receipts = new Map<string, string>();
  const receiptFor = ({ dataset }: Ids) => receipts.get(dataset) ?? "";

  /** Signs a receipt with the members that the validator of the archive reads. */
  async function sign({ dataset }: Ids, inventory: string, sourceManifest: string): Promise<string> {
    const receipt = {
      dataset: { id: dataset, identifier: `urn:uuid:${dataset}`, version: 1 },
      digests: {
        inventory: { path: "v1/inventory.json", sha512: inventory },
        sourceManifest: { path: "v1/content/metadata/source-manifest.jsonl", sha512: sourceManifest },
      },
    };
    return signReceipt(receipt as unknown as Receipt, key);
  }

  /** Writes the rest of a package whose content is already stored. */
  async function build(area: PackageArea, which: Ids, files: Record<string, [place: string, content: string]>) {
    const inventory = await openInventory(await area.scratch());
    for (const [path, [at, content]] of Object.entries(files)) {
      const digest = await sha512(Buffer.from(content));
      await inventory.add({ path: `data/${path}`, contentPath: `v1/content/${at}`, sha512: digest });
    }
    const manifest = "of no matter here\n";
    await writeFile(join(area.folder, "v1/content/metadata/source-manifest.jsonl"), manifest);
    const path = "metadata/source-manifest.jsonl";
    await inventory.add({ path, contentPath: `v1/content/${path}`, sha512: await sha512(Buffer.from(manifest)) });
    const head = { id: `urn:uuid:${which.dataset}`, created: "2026-01-01T00:00:00Z", message: "m" };
    let inventoryDigest = "";
    for (const name of ["inventory.json", "v1/inventory.json"]) {
      const written = await inventory.write(join(area.folder, name), {
        ...head,
        user: { name: "n", address: "mailto:a@b.c" },
      });
      inventoryDigest = written.sha512;
      await writeSidecar(join(area.folder, name), inventoryDigest);
    }
    await writeObjectDeclaration(area.folder);
    const receipt = await sign(which, inventoryDigest, await sha512(Buffer.from(manifest)));
    receipts.set(which.dataset, receipt);
    await writeFile(join(area.folder, "logs/v1/receipt.jws"), receipt);
    await writeLogsManifest(
      join(area.folder, "logs/v1"),
      new Map([["receipt.jws", await sha512(Buffer.from(receipt))]]),
    );
    await inventory.discard();
    await area.finalize();
    await area.close();
  }

  /** Downloads the archive with its reader into a folder. */
  async function downloaded(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "accession-read-"));
    for await (const { path, bytes } of kept.reader.list("ocfl")) {
      const content = Buffer.concat(await Array.fromAsync(await kept.reader.read(path)));
      expect(content.length, path).toBe(bytes);
      await mkdir(join(folder, path, ".."), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  }

  async function expectValid(objects: number): Promise<void> {
    const folder = await downloaded();
    expect(await checkRoot(join(folder, "ocfl"))).toMatchObject({ findings: [], objects });
    await rm(folder, { recursive: true });
  }

  const textOf = async (path: string) => Buffer.concat(await Array.fromAsync(await kept.reader.read(path))).toString();
  const listed = async (below: string) =>
    (await Array.fromAsync(kept.reader.list(below))).map(({ path }) => path).sort();
  /** The dataset's folder, relative to the archive. */
  const folderOf = ({ dataset }: Ids) => store.locate(dataset).replace(/^.*\/(ocfl\/)/, "$1");

  test("an empty archive is a valid, writable storage root", async () => {
    await store.ready();
    await expectValid(0);
    expect(await store.staged()).toEqual([]);
    expect(await store.freeBytes()).toBeGreaterThan(0);
  });

  test("stored files have their size, and can be counted and removed", async () => {
    const which = ids();
    const objects = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`plots/${i}.csv`, "x".repeat(i)]));
    const places = await place(which, 1, objects);
    expect(places["plots/3.csv"]).toBe("data/plots/3.csv");
    const area = await store.staging(which.submission, which.dataset, 1).package(1, 1);
    const paths = Object.values(places);
    expect(await area.sizes([...paths, "data/nowhere", "by-key/00/0", "data/plots"])).toEqual([
      ...Object.keys(objects).map((_, i) => i),
      ...Array(3).fill(undefined),
    ]);
    expect(await area.sizes(["data/plots/7.csv", "data/nothing"])).toEqual([7, undefined]);
    expect(await area.count()).toBe(25);
    expect((await Array.fromAsync(area.storedPaths())).flat().sort()).toEqual(paths.toSorted());
    await area.remove(paths.slice(0, 24));
    expect((await Array.fromAsync(area.storedPaths())).flat()).toEqual(paths.slice(24));
    await area.close();
    expect(await store.staged()).toEqual([which.submission]);
    await store.discard(which.submission);
    await store.discard(which.submission);
    expect(await store.staged()).toEqual([]);
    expect(await listed(folderOf(which))).toEqual([]);
  });

  test("objects whose key is no valid path are stored at a derived path", async () => {
    const which = ids();
    const keys = ["r".repeat(1_024), "line\nfeed\0", "plain"];
    const places = await place(which, 1, Object.fromEntries(keys.map((key) => [key, key])));
    expect(new Set(Object.values(places)).size).toBe(3);
    expect(places[keys[0] ?? ""]).toMatch(/^by-key\//);
    const area = await store.staging(which.submission, which.dataset, 1).package(1, 1);
    expect(await area.sizes(Object.values(places))).toEqual(keys.map((key) => key.length));
    await area.close();
    await store.discard(which.submission);
  });

  test("an object whose path is also a folder of other objects causes no conflict", async () => {
    const which = ids();
    const { a = "", "a/b": below = "" } = await place(which, 1, { a: "file", "a/b": "below" });
    const area = await store.staging(which.submission, which.dataset, 1).package(1, 1);
    const moved = below === "data/a/b" ? await area.moveAside(a) : a;
    expect(await area.sizes([moved, below])).toEqual([4, 5]);
    if (moved !== a) await area.remove([a]);
    await build(area, which, { "%keys/a%": [moved, "file"], "a/b": [below, "below"] });
    await store.publish({ ...which, version: 1, fence: 1, receipt: receiptFor(which) });
    await expectValid(1);
    await store.withdraw(tombstoneOf(which));
    await expectValid(0);
  });

  test("late writes of an earlier attempt do not affect the later one", async () => {
    const which = ids();
    const area = store.staging(which.submission, which.dataset, 1);
    await area.begin(1);
    const late = await openContentWriter(area.writerOptions(1), kept.links, forever);
    const { k = "" } = await place(which, 2, { k: "of the second" });
    // A folder refuses the write; an object store stores it in the area of the first attempt.
    await Promise.resolve()
      .then(() => late.store("k", false, Buffer.from("late")))
      .catch(() => undefined);
    const inHand = await area.package(1, 2);
    expect(await inHand.sizes([k])).toEqual(["of the second".length]);
    await inHand.close();
    await store.discard(which.submission);
  });

  test("a large object is written in pieces, in any order", async () => {
    const which = ids();
    const content = randomBytes(37 * MIB + 5);
    const pieces = Array.from({ length: 10 }, (_, i) => i * 4 * MIB);
    const area = store.staging(which.submission, which.dataset, 1);
    await area.begin(1);
    const writer = await openContentWriter(area.writerOptions(1), kept.links, forever);
    let path = "";
    if (!writer.passesThroughMemory) {
      const file = writer.open(0, "identity");
      for (const at of pieces.toReversed()) file.write(at, content.subarray(at, at + 4 * MIB));
      path = writer.place(file, "large", false) ?? "data/large";
    } else {
      const { signal } = new AbortController();
      const given = writer.upload("large", false, content.length, signal);
      given.upload.write(0, content.subarray(0, 100));
      const { upload, place } = writer.upload("large", false, content.length, signal);
      for (const at of pieces.toReversed()) upload.write(at, content.subarray(at, at + 4 * MIB));
      const hash = createHash("sha512");
      for (const piece of upload.reached(content.length)) hash.update(piece);
      expect(hash.digest("hex")).toBe(await sha512(content));
      await upload.complete();
      expect(Buffer.concat(await Array.fromAsync(upload.readBack())).equals(content)).toBe(true);
      await given.upload.abandon();
      path = place ?? "data/large";
    }
    const inHand = await area.package(1, 1);
    expect(await inHand.sizes([path])).toEqual([content.length]);
    await inHand.close();
    await store.discard(which.submission);
  });

  test("a published package is visible and complete, is not changed, and leaves nothing in the staging area", async () => {
    const which = ids();
    const places = await place(which, 1, { x: "one", "y/z": "two" });
    const area = await store.staging(which.submission, which.dataset, 1).package(1, 1);
    await build(area, which, { x: [places.x ?? "", "one"], "y/z": [places["y/z"] ?? "", "two"] });
    expect((await listed(folderOf(which))).filter((path) => path.endsWith("/inventory.json"))).toEqual([]);
    await store.publish({ ...which, version: 1, fence: 1, receipt: receiptFor(which) });
    await expectValid(1);
    await store.publish({ ...which, version: 1, fence: 1, receipt: receiptFor(which) });
    await store.discard(which.submission);
    await expectValid(1);
    expect(await store.staged()).toEqual([]);
    expect(await listed("staging")).toEqual([]);

    await store.withdraw(tombstoneOf(which));
    await store.withdraw(tombstoneOf(which));
    await expectValid(0);
    const kept = `withdrawn/${which.dataset}`;
    expect(await listed(kept)).toEqual([`${kept}/logs/v1/receipt.jws`, `${kept}/tombstone.json`]);
    expect(JSON.parse(await textOf(`${kept}/tombstone.json`))).toEqual(tombstoneOf(which));
  });

  describe("a publication is not changed, even if the database is wrong", () => {
    /** Publishes a dataset with two objects, and returns the paths of its files. */
    async function published(): Promise<{ which: Ids; before: string[] }> {
      const which = ids();
      const places = await place(which, 1, { x: "one", y: "two" });
      const area = await store.staging(which.submission, which.dataset, 1).package(1, 1);
      await build(area, which, { x: [places.x ?? "", "one"], y: [places.y ?? "", "two"] });
      await store.publish({ ...which, version: 1, fence: 1, receipt: receiptFor(which) });
      return { which, before: await listed(folderOf(which)) };
    }
    const refused = { code: "already_published", fault: "operator" };

    async function expectKept({ which, before }: { which: Ids; before: string[] }): Promise<void> {
      expect(await listed(folderOf(which))).toEqual(before);
      await expectValid(1);
      await store.withdraw(tombstoneOf(which));
    }

    test("its submission is not started, written or packaged again", async () => {
      const one = await published();
      const area = store.staging(one.which.submission, one.which.dataset, 1);
      await expect(area.begin(1)).rejects.toMatchObject(refused);
      await expect(area.begin(2)).rejects.toMatchObject(refused);
      await expect(area.requireUnpublished()).rejects.toMatchObject(refused);
      await expect(area.package(5, 1)).rejects.toMatchObject(refused);
      expect(await listed("staging")).toEqual([]);
      await expectKept(one);
      await expect(area.begin(1), "withdrawn").rejects.toMatchObject(refused);
    });

    test("another package cannot replace it; publishing the same one again only cleans up", async () => {
      const one = await published();
      const other = { ...one.which, submission: randomUUID() };
      await expect(store.publish({ ...other, version: 1, fence: 1, receipt: "another" })).rejects.toMatchObject(
        refused,
      );
      await store.publish({ ...other, version: 1, fence: 1, receipt: receiptFor(other) });
      await expectKept(one);
    });

    test("a worker that packages while another one publishes removes nothing and publishes nothing", async () => {
      const which = ids();
      const places = await place(which, 1, { x: "one" });
      const staging = store.staging(which.submission, which.dataset, 1);
      const slow = await staging.package(1, 1);
      const quick = await staging.package(2, 1);
      await build(quick, which, { x: [places.x ?? "", "one"] });
      await store.publish({ ...which, version: 1, fence: 2, receipt: receiptFor(which) });
      const before = await listed(folderOf(which));
      await expect(slow.remove([places.x ?? ""])).rejects.toThrow();
      await expect(slow.finalize()).rejects.toMatchObject(refused);
      await slow.close();
      await expectKept({ which, before });
    });

    test("forgetting or discarding its submission removes none of its files", async () => {
      const one = await published();
      await store.forget(one.which.submission);
      await store.discard(one.which.submission);
      await expectKept(one);
    });

    test("the content of a completed submission remains even if its dataset is not visible", async () => {
      const which = ids();
      await place(which, 1, { x: "one" });
      const before = await listed(folderOf(which));
      await store.forget(which.submission);
      expect(await listed(folderOf(which))).toEqual(before);
      expect(await store.staged()).toEqual([]);
      // Removes the content for the next tests.
      await store.staging(which.submission, which.dataset, 1).begin(1);
      await store.discard(which.submission);
    });
  });

  test("a suspended worker that was superseded can no longer change the package", async () => {
    const which = ids();
    const places = await place(which, 1, { x: "one" });
    const staging = store.staging(which.submission, which.dataset, 1);
    const frozen = await staging.package(1, 1);
    const half = await openInventory(await frozen.scratch());
    await writeFile(join(frozen.folder, "v1/content/metadata/source-manifest.jsonl"), "of the superseded worker");

    const taken = await staging.package(2, 1);
    await build(taken, which, { x: [places.x ?? "", "one"] });

    // The superseded worker resumes.
    const late = [
      () => writeFile(join(frozen.folder, "v1/content/metadata/source-manifest.jsonl"), "of the superseded worker"),
      () => writeFile(join(frozen.folder, "inventory.json"), "{}"),
      () => half.write(join(frozen.folder, "inventory.json"), HEAD),
      () => writeObjectDeclaration(frozen.folder),
      () => mkdir(join(frozen.folder, "v1/content/metadata"), { recursive: true }),
      () => frozen.finalize(),
    ];
    for (const step of late) await step().catch(() => undefined);
    await store.publish({ ...which, version: 1, fence: 2, receipt: receiptFor(which) });
    for (const step of late) await step().catch(() => undefined);
    await half.discard();
    await frozen.close();

    await expectValid(1);
    expect(await textOf(`${folderOf(which)}/v1/content/metadata/source-manifest.jsonl`)).toBe("of no matter here\n");
    await store.discard(which.submission);
    expect(await store.staged()).toEqual([]);
    await store.withdraw(tombstoneOf(which));
  });

  test("an attempt that starts again during packaging, or during a later attempt, affects neither", async () => {
    const which = ids();
    const staging = store.staging(which.submission, which.dataset, 1);
    const again = (attempt: number) => staging.begin(attempt).catch((error: { code?: string }) => error.code);
    await place(which, 1, { old: "of the first" });
    await staging.package(1, 1);
    await again(1);
    const { x = "" } = await place(which, 2, { x: "one" });
    expect(await again(1)).toBe("wrong_state");
    const { y = "" } = await place(which, 2, { y: "two" });
    const lost = await staging.package(2, 2);
    await again(2);
    const area = await staging.package(3, 2);
    for (const attempt of [2, 1]) await again(attempt);
    expect(await area.sizes([x, y])).toEqual([3, 3]);
    const placed = (await Array.fromAsync(area.storedPaths())).flat();
    await area.remove(placed.filter((path) => path !== x && path !== y));
    await build(area, which, { x: [x, "one"], y: [y, "two"] });
    await lost.close();
    await again(2);
    await store.publish({ ...which, version: 1, fence: 3, receipt: receiptFor(which) });
    await expectValid(1);
    await store.discard(which.submission);
    await store.withdraw(tombstoneOf(which));
    await expectValid(0);
  });

  test("the newest changes are counted, in any order", async () => {
    for (let number = 1; number <= 210; number++) await store.recordChange(number);
    await store.recordChange(212);
    await store.recordChange(211);
    expect([await store.newestChange(), await newestChange(kept.reader)]).toEqual([212, 212]);
    const numbers: string[] = [];
    for await (const path of kept.reader.names("changes")) numbers.push(path);
    expect(numbers.sort()[0]).toBe("changes/000000000101");
    // Two databases have counted the same number: none of them is accepted any more.
    expect(await store.recordChange(211)).toBe(false);
    expect(await store.newestChange()).toBe(1211);
  });

  test("reading a missing file fails with an error of the stream", async () => {
    await expect(textOf("ocfl/nowhere")).rejects.toThrow();
  });
}

const HEAD = { id: "urn:x", created: "2026-01-01T00:00:00Z", message: "m", user: { name: "n" } };

/** A tombstone of a dataset with one version. */
export function tombstoneOf({ submission, dataset }: { submission: string; dataset: string }): Tombstone {
  return {
    dataset: { id: dataset, identifier: `urn:uuid:${dataset}`, title: "t", createdAt: "2026-01-01T00:00:00.000Z" },
    versions: [{ version: 1, submission, publishedAt: "2026-01-01T00:00:00.000Z", objects: 1, bytes: 1 }],
    withdrawn: { at: "2026-01-02T00:00:00.000Z", by: "local", reason: "consent" },
  };
}
