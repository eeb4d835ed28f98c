import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startS3Server } from "../../../packages/s3-test-server/src/index.ts";
import { findPackage } from "../archive/package.ts";
import { oddKeys } from "../data-source/odd-keys.ts";
import { apiReader, observe, SourceTracker } from "../data-source/source-tracker.ts";
import { startTestService } from "../program/service.ts";
import { checkInvariants, type Invariant, type Observation, type ObservedRun, type Reply } from "./invariants.ts";

const SECRET = "a-secret/that+stays=hidden";
const BUCKET = "truth";

/** A run without violations. Every test copies its folder. */
let good: ObservedRun;
let folder: string;
let dataset: string;
let submission: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-invariants-"));
  await using s3 = await startS3Server();
  s3.addAccount({ accessKey: "AK", secretKey: SECRET });
  s3.createBucket(BUCKET);
  for (const key of oddKeys.slice(0, 15)) s3.put(BUCKET, key, `content of ${key}`);
  s3.put(BUCKET, "encrypted", "behind an ETag that is no MD5", { encryption: "aws:kms" });
  s3.put(BUCKET, "large", { seed: "large", size: 3_000_000 }, { checksum: "crc64nvme" });
  s3.put(BUCKET, "ice", "cold", { storageClass: "GLACIER" });
  await using service = await startTestService();
  const { id } = await service.api.submit({
    endpoint: s3.endpoint,
    bucket: BUCKET,
    accessKey: "AK",
    secretKey: SECRET,
  });
  const observed: Observation[] = [await observe(service.api, id)];
  await service.api.until(id, ["waiting"]);
  observed.push(await observe(service.api, id));
  await service.api.post(`/submission/${id}/exclude`, { keys: ["ice"], reason: "never restored" });
  const completed = await service.api.until(id, ["completed"]);
  observed.push(await observe(service.api, id));
  submission = id;
  dataset = completed.dataset?.id ?? "";
  // Responses are recorded, so that the service does not have to run.
  const answers = new Map<string, Reply>();
  const world: ObservedRun = {
    source: new SourceTracker(s3, BUCKET).expectedObjects(),
    data: service.data,
    get: async (path) => {
      const reply = await apiReader(service.api)(path);
      answers.set(path, reply);
      return reply;
    },
    accepted: [id],
    observed,
    history: [...s3.history],
    secrets: [SECRET],
    logs: ["nothing to see"],
  };
  expect(await checkInvariants(world)).toEqual([]);
  for (const name of ["archive", "secret.key", "signing.key", "lock"]) {
    await cp(join(service.data, name), join(folder, name), { recursive: true });
  }
  good = { ...world, data: folder, get: async (path) => answers.get(path) ?? { status: 404, text: "{}" } };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Makes one change to a run without violations, and returns the invariants that the checker reports as violated. */
async function violatedAfter(
  change: (world: ObservedRun, object: string) => Promise<Partial<ObservedRun>> | Partial<ObservedRun>,
) {
  const data = await mkdtemp(join(tmpdir(), "accession-changed-"));
  try {
    await cp(folder, data, { recursive: true });
    const world = { ...good, data };
    const object = (await findPackage(join(data, "archive"), dataset)).folder;
    const violations = await checkInvariants({ ...world, ...(await change(world, object)) });
    return [...new Set(violations.map(({ invariant }) => invariant))];
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

/** Changes one response of the API. */
function answering(world: ObservedRun, path: RegExp, change: (body: never) => unknown): Partial<ObservedRun> {
  return {
    get: async (asked) => {
      const reply = await world.get(asked);
      return path.test(asked) ? { ...reply, text: JSON.stringify(change(JSON.parse(reply.text) as never)) } : reply;
    },
  };
}

const oneFile = async (object: string): Promise<string> => {
  const content = join(object, "v1/content/data");
  const [first = ""] = (await readdir(content, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
  return join(content, first);
};

test("a successful run has no violation, and neither has a copy of it", async () => {
  expect(await violatedAfter(() => ({}))).toEqual([]);
});

type Change = (world: ObservedRun, object: string) => Promise<Partial<ObservedRun>> | Partial<ObservedRun>;
const files = /\/files/;
const self = /\/submission\/[0-9a-f-]+$/;
const events = /\/events/;
type Row = Record<string, unknown>;

const violationCases: [string, Invariant, Change][] = [
  [
    "a flipped byte",
    "files and inventory agree",
    async (_, object) => {
      const file = await oneFile(object);
      const bytes = await readFile(file);
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      await writeFile(file, bytes);
      return {};
    },
  ],
  [
    "a missing file",
    "files and inventory agree",
    async (_, object) => {
      await rm(await oneFile(object));
      return {};
    },
  ],
  [
    "an additional file",
    "files and inventory agree",
    async (_, object) => {
      await writeFile(join(object, "v1/content/data/surplus"), "surplus");
      return {};
    },
  ],
  [
    "an empty folder in the content",
    "files and inventory agree",
    async (_, object) => {
      await mkdir(join(object, "v1/content/data/nothing-in-it"));
      return {};
    },
  ],
  [
    "an inventory that was changed",
    "files and inventory agree",
    async (_, object) => {
      for (const name of ["inventory.json", "v1/inventory.json"]) await appendFile(join(object, name), "\n");
      return {};
    },
  ],
  [
    "a wrong sidecar",
    "files and inventory agree",
    async (_, object) => {
      await writeFile(join(object, "inventory.json.sha512"), `${"0".repeat(128)} inventory.json\n`);
      return {};
    },
  ],
  [
    "an object in a wrong folder",
    "files and inventory agree",
    async (_, object) => {
      await rename(
        object,
        object.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      );
      return {};
    },
  ],
  [
    "an object of the bucket that is neither stored nor reported",
    "stored or reported",
    ({ source }) => ({
      source: new Map([...source, ["lost", { contents: [], isUnchanged: true, offersDigest: false }]]),
    }),
  ],
  [
    "other bytes than the source held",
    "stored or reported",
    ({ source }) => ({
      source: new Map([
        ...source,
        ["large", { contents: [{ bytes: 3_000_000, sha512: "0" }], isUnchanged: true, offersDigest: true }],
      ]),
    }),
  ],
  [
    "an object that was never in the bucket",
    "stored or reported",
    ({ source }) => ({ source: new Map([...source].filter(([key]) => key !== "large")) }),
  ],
  [
    "an object listed twice",
    "stored or reported",
    (world) => answering(world, files, (rows: Row[]) => [...rows, rows[0]]),
  ],
  [
    "an object both stored and reported",
    "stored or reported",
    (world) =>
      answering(world, files, (rows: Row[]) =>
        rows.map((row) => (row.key === "large" ? { ...row, error: { code: "object_gone" } } : row)),
      ),
  ],
  [
    "an excluded object without an error",
    "stored or reported",
    (world) =>
      answering(world, files, (rows: Row[]) => rows.map((row) => (row.key === "ice" ? { ...row, error: null } : row))),
  ],
  [
    "an object that has not been read yet",
    "stored or reported",
    (world) =>
      answering(world, files, (rows: Row[]) =>
        rows.map((row) => (row.key === "ice" ? { ...row, state: "listed", error: null } : row)),
      ),
  ],
  [
    "wrong counts",
    "completed is complete",
    (world) =>
      answering(world, self, (row: { progress: Row }) => ({ ...row, progress: { ...row.progress, objectsStored: 1 } })),
  ],
  [
    "a digest of the source that was not compared",
    "completed is complete",
    ({ source }) => ({
      source: new Map([...source].map(([key, truth]) => [key, { ...truth, offersDigest: true }])),
    }),
  ],
  [
    "a receipt without a valid signature",
    "completed is complete",
    async (world) => {
      await writeFile(join(world.data, "archive/jwks.json"), '{"keys":[]}');
      return {};
    },
  ],
  [
    "a dataset without a completed submission",
    "no partial datasets",
    async (world) => {
      await mkdir(join(world.data, "archive/ocfl/000/000/000", "0".repeat(128)), { recursive: true });
      return {};
    },
  ],
  [
    "an accepted submission that no longer exists",
    "accepted submissions survive",
    (world) => ({ accepted: [...world.accepted, "00000000-0000-4000-8000-000000000000"] }),
  ],
  [
    "an undeclared transition",
    "declared transitions",
    (world) =>
      answering(world, events, (rows: Row[]) => [...rows, { id: rows.length + 1, type: "retried", attempt: 2 }]),
  ],
  [
    "an event that is missing",
    "declared transitions",
    (world) => answering(world, events, (rows: Row[]) => rows.filter(({ type }) => type !== "publishing")),
  ],
  [
    "a submission that continues after its end",
    "declared transitions",
    ({ observed }) => ({ observed: [...observed, { ...(observed.at(-1) as Observation), status: "packaging" }] }),
  ],
  [
    "decreasing progress",
    "progress never decreases",
    ({ observed }) => {
      const last = observed.at(-1) as Observation;
      return { observed: [...observed, { ...last, progress: { ...last.progress, bytesStored: 1 } }] };
    },
  ],
  [
    "a file beside the archive",
    "no unexpected files",
    async ({ data }) => {
      await writeFile(join(data, "core.1234"), "");
      return {};
    },
  ],
  [
    "a file beside the data folder",
    "no unexpected files",
    ({ data }) => ({ surroundings: { folder: data, names: ["only-this"] } }),
  ],
  [
    "staged content without a submission",
    "no orphans",
    async ({ data }) => {
      await mkdir(join(data, "archive/staging", submission, "incoming/1"), { recursive: true });
      return {};
    },
  ],
  [
    "a folder that was being removed",
    "no orphans",
    async ({ data }) => {
      await mkdir(join(data, "archive/staging/.trash-1"));
      return {};
    },
  ],
  [
    "a temporary file",
    "no orphans",
    async ({ data }) => {
      await writeFile(join(data, "archive/jwks.json.tmp"), "{");
      return {};
    },
  ],
  ["a secret in a log", "secrets stay secret", () => ({ logs: [`wrong: ${SECRET}`] })],
  [
    "a secret in a file, encoded",
    "secrets stay secret",
    async ({ data }) => {
      await appendFile(join(data, "lock"), `x${Buffer.from(SECRET).toString("base64")}`);
      return {};
    },
  ],
  [
    "a secret in a response",
    "secrets stay secret",
    (world) => answering(world, self, (row: Row) => ({ ...row, title: SECRET })),
  ],
  [
    "a PUT to the source",
    "source only read",
    (world) => ({ history: [...world.history, { method: "PUT", key: "k" }] }),
  ],
  [
    "a submission that neither ends nor waits",
    "nothing hangs",
    (world) => ({
      ...answering(world, new RegExp(`${self.source}|${events.source}`), (body: Row | Row[]) =>
        Array.isArray(body)
          ? body.slice(0, body.findIndex(({ type }) => type === "packaging") + 1)
          : { ...body, status: "packaging", dataset: null },
      ),
      data: join(world.data, "empty"),
      archive: join(world.data, "empty/archive"),
    }),
  ],
  [
    "metadata that the source does not have",
    "stored or reported",
    ({ source }) => ({
      source: new Map([...source].map(([key, truth]) => [key, { ...truth, userMetadata: { camera: "south" } }])),
    }),
  ],
  [
    "a missing checksum",
    "stored or reported",
    ({ source }) => ({
      source: new Map([...source].map(([key, truth]) => [key, { ...truth, checksums: { sha256: "AAAA" } }])),
    }),
  ],
  [
    "logs that lack an event",
    "rebuildable",
    async (_, object) => {
      const file = join(object, "logs/v1/events.jsonl");
      const lines = (await readFile(file, "utf8")).split("\n");
      await writeFile(file, lines.slice(0, 3).join("\n"));
      return {};
    },
  ],
  [
    "logs without the submission",
    "rebuildable",
    async (_, object) => {
      await rm(join(object, "logs/v1/submission.json"));
      return {};
    },
  ],
];

test.each(violationCases)("reports %s", async (name, invariant, change) => {
  const found = await violatedAfter(async (world, object) => {
    // A submission that has not completed has no dataset yet.
    if (name === "a submission that neither ends nor waits") {
      const bare = join(world.data, "empty/archive");
      await mkdir(join(bare, "staging"), { recursive: true });
      for (const part of ["0=ocfl_1.1", "ocfl_layout.json", "extensions"]) {
        await cp(join(world.data, "archive/ocfl", part), join(bare, "ocfl", part), { recursive: true });
      }
    }
    return change(world, object);
  });
  expect(found).toEqual([invariant]);
});
