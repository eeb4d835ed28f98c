import { execFileSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkReceiptAgainst } from "../../src/archive/receipts/receipt-check.ts";
import { verifyReceipt } from "../../src/archive/receipts/signing.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { FORMAT_NAMES } from "../../src/describe/formats/formats.ts";
import { goodMetadata, type Submission } from "../support/api/api.ts";
import { findPackage, type Package, sha512 } from "../support/archive/package.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote } from "../support/tools.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

function accessTo(bucket: string): Record<string, unknown> {
  return { endpoint: s3.endpoint, bucket, ...keys };
}

describe("a bucket with objects of all kinds", () => {
  let submission: Submission;
  let found: Package;

  beforeAll(async () => {
    s3.createBucket("everything");
    for (const [index, key] of oddKeys.entries()) s3.put("everything", key, `content ${index} of ${key.length}`);
    s3.put("everything", "zero", "");
    s3.put("everything", "same-1", "equal bytes");
    s3.put("everything", "same-2", "equal bytes");
    s3.put("everything", "gz.csv", Buffer.from([0x1f, 0x8b, 1, 2, 3]), {
      contentEncoding: "gzip",
      contentType: "text/csv",
    });
    s3.put("everything", "parts-known", { seed: "p", size: 12_000_000 }, { partSize: 5 * 1024 * 1024 });
    s3.put("everything", "sha", "has a checksum", { checksum: "sha256", metadata: { plot: "7" } });
    s3.put("everything", "crc", "has a checksum too", { checksum: "crc64nvme" });
    s3.put("everything", "opaque", "nothing to compare with", { etag: "opaque-1", encryption: "aws:kms" });
    for (let i = 0; i < 1200; i++) s3.put("everything", `many/${i}.txt`, `number ${i}`);
    const accepted = await service.api.submit(accessTo("everything"));
    submission = await service.api.until(accepted.id, ["completed"]);
    found = await findPackage(service.archive, submission.dataset?.id ?? "");
  });

  test("is stored byte for byte, with exactly its keys", async () => {
    const stored = new Map(found.manifest.map((line) => [line.key as string, line]));
    expect([...stored.keys()].sort()).toEqual([...s3.keys("everything")].sort());
    for (const [key, line] of stored) {
      const expected = await sha512(s3.body("everything", key));
      expect(line.sha512, key).toBe(expected);
      const file = found.files.get(line.path as string);
      expect(file?.sha512, key).toBe(expected);
      expect(await sha512(file?.file ?? ""), key).toBe(expected);
    }
    expect(found.files.size).toBe(stored.size + 5);
    expect(submission.progress.objectsStored).toBe(stored.size);
  });

  test("states for every object how it was verified", async () => {
    const files = new Map((await service.api.files(submission.id)).map((file) => [file.key, file]));
    expect(files.get("sha")).toMatchObject({ verifiedBy: "checksum", verifiedWith: "sha256" });
    expect(files.get("crc")).toMatchObject({ verifiedBy: "checksum", verifiedWith: "crc64nvme" });
    expect(files.get("zero")).toMatchObject({ verifiedBy: "md5", bytes: 0 });
    expect(files.get("parts-known")).toMatchObject({ verifiedBy: "md5-parts", verifiedWith: "md5" });
    expect(files.get("opaque")).toMatchObject({ verifiedBy: "length" });
    const receipt = await service.api.receipt(submission.id);
    expect(receipt.verified).toMatchObject({ checksum: 2, "md5-parts": 1, length: 1 });
    expect(receipt.sourceMayBeDeleted).toBe("no");
    expect(receipt.statement).toMatch(/this archive holds one copy/);
    const said = { sourceMayBeDeleted: "no", statement: receipt.statement };
    expect(submission).toMatchObject(said);
    const log = await service.api.events(submission.id);
    expect(log.find(({ type }) => type === "completed")).toMatchObject({ data: said });
  });

  test("keeps the metadata of the objects", () => {
    const line = (key: string) => found.manifest.find((one) => one.key === key);
    expect(line("sha")).toMatchObject({ userMetadata: { plot: "7" }, bytes: 14 });
    expect(line("gz.csv")).toMatchObject({ contentEncoding: "gzip", contentType: "text/csv" });
    expect(line("twin")?.path).toBe("data/%keys%/twin%");
    expect(line("%keys/x")?.path).toBe("data/%keys/x");
    expect(line("../../etc/x")?.path).toBe("data/%keys%/%2E%2E/%2E%2E/etc/x%");
  });

  test("is a package that the OCFL check accepts without a warning", async () => {
    const checked = await checkRoot(join(service.archive, "ocfl"));
    expect(checked.findings).toEqual([]);
    expect(checked.ok).toBe(true);
  });

  test("has a receipt that can be verified with its key and its archive", async () => {
    const jws = await readFile(join(found.folder, "logs/v1/receipt.jws"), "utf8");
    expect(jws).toBe((await service.api.get(`/submission/${submission.id}/receipt`)).text);
    // RFC 7515, section 3.1: three parts in base64url and nothing else, not even a line feed.
    expect(jws).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const jwks = (await service.api.get("/.well-known/jwks.json")).json;
    const verified = await verifyReceipt(jws, jwks);
    if (!verified.ok) throw new Error(verified.detail);
    expect(verified.signer).toBe("established");
    expect(await checkReceiptAgainst(verified.receipt, service.archive)).toEqual([]);
  });

  test.skipIf(lacks("xmllint"))(`has DataCite XML that conforms to the schema ${skipNote("xmllint")}`, () => {
    const xml = join(found.folder, "v1/content/metadata/datacite.xml");
    const schema = new URL("../../src/describe/formats/datacite/kernel-4.7/metadata.xsd", import.meta.url).pathname;
    execFileSync("xmllint", ["--nonet", "--noout", "--schema", schema, xml], { stdio: "pipe" });
  });

  test("only reads from the source", () => {
    expect([...new Set(s3.history.map(({ method }) => method))].sort()).toEqual(["GET", "HEAD"]);
    const reads = s3.history.filter(({ operation }) => operation === "get");
    const withoutMatch = reads.filter(({ headers }) => headers["if-match"] === undefined);
    expect(withoutMatch).toEqual([]);
  });

  test("records its steps in the log, in order", async () => {
    const events = await service.api.events(submission.id);
    expect(events.map(({ id }) => id)).toEqual(events.map((_, index) => index + 1));
    const story = [
      "accepted",
      "listing",
      "listed",
      "transferring",
      "transferred",
      "verifying",
      "packaging",
      "completed",
    ];
    expect(events.map(({ type }) => type).filter((type) => story.includes(type))).toEqual(story);
  });

  test("leaves no staged files", async () => {
    await expect(stat(join(service.archive, "staging", submission.id))).rejects.toThrow("ENOENT");
  });
});

test("postal addresses are in the logs, and not in the package metadata", async () => {
  s3.createBucket("addresses");
  s3.put("addresses", "a", "a");
  const postal = { address: "17 Sesame Lane", zipCode: "06466", city: "Gatersleben", country: "DE" };
  const metadata = { ...goodMetadata, authors: [{ ...goodMetadata.authors[0], ...postal }] };
  const { id } = await service.api.submit(accessTo("addresses"), { metadata });
  const { dataset } = await service.api.until(id, ["completed"]);
  const { folder } = await findPackage(service.archive, dataset?.id ?? "");
  expect(await readFile(join(folder, "logs/v1/submission.json"), "utf8")).toContain("17 Sesame Lane");
  for (const file of [
    "ro-crate-metadata.json",
    "metadata/datacite.xml",
    "metadata/datacite.json",
    "metadata/submission.json",
  ]) {
    const text = await readFile(join(folder, "v1/content", file), "utf8");
    for (const part of ["Sesame", "06466", "Gatersleben"]) expect(text, file).not.toContain(part);
  }
});

test("a selection archives exactly the selected objects", async () => {
  s3.createBucket("selected");
  for (const key of ["in/a.csv", "in/b.txt", "in/deep/c.csv", "in/deep/secret.csv", "out/d.csv"])
    s3.put("selected", key, key);
  const selection = { prefix: "in/", include: ["in/**.csv"], exclude: ["**/secret*"] };
  const { id } = await service.api.submit(accessTo("selected"), { selection });
  const { statement } = await service.api.until(id, ["completed"]);
  expect((await service.api.files(id)).map(({ path }) => path)).toEqual(["data/in/a.csv", "data/in/deep/c.csv"]);
  const part = "keys that begin with “in/” and match “in/**.csv” and do not match “**/secret*”";
  expect(statement).toContain(`Only a part of the bucket was selected (${part}). No other objects were read.`);
});

test("a form of e!DAL’s client is accepted, and its affiliation is derived from the address", {
  tags: "extended",
}, async () => {
  s3.createBucket("edal");
  s3.put("edal", "a", "a");
  const form = new FormData();
  form.append(
    "metadata",
    new Blob(
      [
        JSON.stringify({
          title: "Sent by the client of e!DAL",
          description: "",
          language: "English",
          license: "CC BY 4.0",
          embargoDate: "",
          subjects: [],
          authors: [
            {
              role: "Creator",
              firstName: "Josiah",
              lastName: "Carberry",
              address: "IPK Gatersleben, Canary City, 17 Canary Lane, Canary Court",
              zipCode: "06466-canary",
              country: "Germany",
              orcid: "https://orcid.org/0000-0002-1825-0097",
              rorid: "https://ror.org/02skbsp27",
            },
            { role: "Contributor", lastName: "Doe", rorid: "https://ror.org/02skbsp28" },
          ],
        }),
      ],
      { type: "application/json" },
    ),
  );
  form.append("s3access", JSON.stringify({ ...accessTo("edal"), region: "", validated: true, validationMsg: "ok" }));
  const answer = await service.api.send("/submission/upload/s3upload", { method: "POST", body: form });
  expect(answer.status, answer.text).toBe(202);
  expect(answer.headers.get("location")).toBe(`/submission/${answer.json.id}`);
  expect(answer.json.warnings.map(({ pointer }: { pointer: string }) => pointer)).toContain("/s3Access/validated");
  expect(answer.json.warnings).toContainEqual({
    pointer: "/metadata/authors/0/affiliation",
    code: "affiliation_recovered",
    detail: expect.stringContaining("“IPK Gatersleben”"),
  });
  expect(answer.json.warnings).toContainEqual(expect.objectContaining({ code: "ror_invalid" }));
  const { dataset } = await service.api.until(answer.json.id, ["completed"]);
  const path = `/dataset/${dataset?.id}`;
  const { json: datacite } = await service.api.get(`${path}/export/datacite-json`);
  expect(datacite.creators[0].affiliation).toMatchObject([{ name: "IPK Gatersleben" }]);

  // No response contains the rest of the address. The files in ZIPs are not compressed, so they can be searched.
  const exported = FORMAT_NAMES.map((format) => `${path}/export/${format}`);
  const own = ["ro-crate-metadata.json", "metadata/datacite.xml", "metadata/datacite.json", "metadata/submission.json"];
  const all = [path, `${path}/versions`, `${path}/linkset`, ...exported, ...own.map((file) => `${path}/files/${file}`)];
  for (const one of all) {
    const response = await fetch(`${service.url}${one}`);
    expect([one, response.status]).toEqual([one, 200]);
    expect([one, Buffer.from(await response.arrayBuffer()).toString("latin1")]).not.toEqual([
      one,
      expect.stringMatching(/canary/i),
    ]);
  }
});

test("fifty requests with one Idempotency-Key create one submission", async () => {
  s3.createBucket("idempotent");
  s3.put("idempotent", "a", "a");
  const body = { metadata: goodMetadata, s3Access: accessTo("idempotent") };
  const headers = { "idempotency-key": "the-same-key" };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => service.api.post("/submission/upload/s3upload", body, headers)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
  const other = { ...body, metadata: { ...goodMetadata, title: "Something else" } };
  const conflict = await service.api.post("/submission/upload/s3upload", other, headers);
  expect(conflict.status).toBe(409);
  expect(conflict.json).toMatchObject({ code: "idempotency_conflict", submission: answers[0]?.json.id });
  expect(conflict.json.detail).toContain(answers[0]?.json.id);
});

describe("an identical request without a key", () => {
  const other = { accessKey: "AKOTHER", secretKey: "another-secret" };
  const ONCE = { "accession-repeat": "false" };
  const body = (more: Record<string, unknown> = {}, s3More: object = {}) => ({
    metadata: { ...goodMetadata, title: "Sent again" },
    s3Access: { ...accessTo("again"), ...s3More },
    ...more,
  });
  const send = async (sent: object = body(), headers: Record<string, string> = ONCE): Promise<string> => {
    const answer = await service.api.post("/submission/upload/s3upload", sent, headers);
    expect(answer.status, answer.text).toBe(202);
    return answer.json.id;
  };
  const settled = async (id: string, status: string) => service.api.until(id, [status]);

  beforeAll(() => {
    s3.addAccount(other);
    s3.createBucket("again");
    s3.put("again", "a", "a");
  });

  test("gives the same submission, also for twenty concurrent requests", async () => {
    const sent = body({ metadata: { ...goodMetadata, title: "Twenty at once" } });
    const ids = new Set(await Promise.all(Array.from({ length: 20 }, () => send(sent))));
    expect(ids.size).toBe(1);
    await settled([...ids][0] ?? "", "completed");
    const again = await service.api.post("/submission/upload/s3upload", sent, ONCE);
    expect([again.json.id, again.headers.get("idempotent-replayed")]).toEqual([[...ids][0], "true"]);
    // The order of members, empty members, and unknown members of the client make no difference.
    const { title, ...rest } = sent.metadata as Record<string, unknown>;
    const shuffled = {
      s3Access: { ...sent.s3Access, validated: true, region: "" },
      metadata: { ...rest, title, language: rest.language, embargoDate: "" },
    };
    expect(await send(shuffled)).toBe([...ids][0]);
  });

  test("creates another submission if any member differs, or if the request asks for it", async () => {
    const first = await send();
    expect(await send()).toBe(first);
    const others = [
      await send(body({ metadata: { ...goodMetadata, title: "Sent again", subjects: ["oats"] } })),
      await send(body({ selection: { prefix: "a" } })),
      await send(body({ notify: { email: "ada@example.org" } })),
      await send(body({}, other)),
      await send(body(), { "accession-repeat": "true" }),
      await send(body(), { ...ONCE, "idempotency-key": "sent-again" }),
    ];
    expect(new Set([first, ...others]).size).toBe(7);
    const wrong = await service.api.post("/submission/upload/s3upload", body(), { "accession-repeat": "maybe" });
    expect([wrong.status, wrong.json.errors[0].code]).toEqual([422, "wrong_value"]);
    for (const id of [first, ...others]) await settled(id, "completed");
    // A submission with a key, or one that was requested explicitly, counts as the first one from then on.
    expect(others).toContain(await send());
  });

  test("creates a new version only once", async () => {
    const { dataset } = await settled(await send(body({ selection: { prefix: "", exclude: ["b"] } })), "completed");
    s3.put("again", "c", "c");
    const version = body({ dataset: { id: dataset?.id } });
    const first = await send(version);
    expect(await send(version)).toBe(first);
    expect(await settled(first, "completed")).toMatchObject({ dataset: { id: dataset?.id, version: 2 } });
    expect(await send(version)).toBe(first);
  });

  test("creates another submission if the first was cancelled, has failed, or its dataset was withdrawn", {
    tags: "extended",
  }, async () => {
    s3.put("again", "held", "held");
    const stop = s3.addFault({ match: { bucket: "again", operation: "get", key: "held" }, fault: { stall: 3_000 } });
    const sent = body({ metadata: { ...goodMetadata, title: "Over" } });
    const cancelled = await send(sent);
    expect((await service.api.post(`/submission/${cancelled}/cancel`)).status).toBe(202);
    const next = await send(sent);
    expect(next).not.toBe(cancelled);
    stop();
    const { dataset } = await service.api.until(next, ["completed"]);
    expect(await send(sent)).toBe(next);
    await service.api.post(`/dataset/${dataset?.id}/withdraw`, { reason: "Consent was taken back" });
    const third = await send(sent);
    expect(third).not.toBe(next);
    await settled(third, "completed");

    s3.quirks.repeatsFirstPage = true;
    s3.quirks.pageLimit = 1;
    const failing = body({ metadata: { ...goodMetadata, title: "Fails" } });
    const failed = await send(failing);
    await settled(failed, "failed");
    s3.quirks.repeatsFirstPage = false;
    delete s3.quirks.pageLimit;
    const fourth = await send(failing);
    expect(fourth).not.toBe(failed);
    await settled(fourth, "completed");
  });

  test("creates another submission if the first was accepted more than ten minutes ago and has ended", {
    tags: "extended",
  }, async () => {
    const sent = body({ metadata: { ...goodMetadata, title: "Long ago" } });
    const first = await send(sent);
    await settled(first, "completed");
    await service.restart(async () => {
      const database = await service.database();
      const createdAt = new Date(Date.now() - 11 * 60_000);
      await database.queries.updateTable("submission").set({ created_at: createdAt }).where("id", "=", first).execute();
      await database.close();
    });
    const second = await send(sent);
    expect(second).not.toBe(first);
    await settled(second, "completed");
  });
});

test("a refused request releases its Idempotency-Key", async () => {
  s3.createBucket("refused-first");
  const headers = { "idempotency-key": "refused-first" };
  const body = { metadata: goodMetadata, s3Access: accessTo("refused-first") };
  const refused = await service.api.post("/submission/upload/s3upload", body, headers);
  expect(refused.json.code).toBe("source_empty");
  s3.put("refused-first", "a", "a");
  expect((await service.api.post("/submission/upload/s3upload", body, headers)).status).toBe(202);
});

test("titles, pages, searches and cursors", async () => {
  s3.createBucket("titles");
  s3.put("titles", "a", "a");
  for (const title of ["Wheat one", "Wheat two", "Wheat three"]) {
    await service.api.submit(accessTo("titles"), { metadata: { ...goodMetadata, title } });
  }
  expect((await service.api.get("/submission/info/exists?title=Wheat%20two")).text).toBe("true");
  expect((await service.api.get("/submission/info/exists?title=Rye")).status).toBe(204);
  expect(await titlesOf("/submission?q=wheat&limit=2")).toEqual(["Wheat three", "Wheat two", "Wheat one"]);
});

/** Reads a list page by page to its end. */
async function titlesOf(list: string): Promise<string[]> {
  const titles: string[] = [];
  for (let path: string | undefined = list; path !== undefined; ) {
    const page = await service.api.get(path);
    titles.push(...page.json.map(({ title }: Submission) => title));
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
  }
  return titles;
}

describe("submissions are sorted", () => {
  let created = 0;
  const sizes = { "rye b 🌾": 2_000, "Rye a": 30, "rye C": 400, "Rye A": 30 };

  beforeAll(async () => {
    for (const [title, bytes] of Object.entries(sizes)) {
      const bucket = `rye-${created++}`;
      s3.createBucket(bucket);
      s3.put(bucket, "a", "a".repeat(bytes));
      const { id } = await service.api.submit(accessTo(bucket), { metadata: { ...goodMetadata, title } });
      await service.api.until(id, ["completed"]);
    }
  });

  test.each([
    ["created", ["rye b 🌾", "Rye a", "rye C", "Rye A"]],
    ["-updated", ["Rye A", "rye C", "Rye a", "rye b 🌾"]],
    ["-bytes", ["rye b 🌾", "rye C", expect.stringMatching(/^Rye a$/i), expect.stringMatching(/^Rye a$/i)]],
    [
      "title",
      [expect.stringMatching(/^Rye a$/i), expect.stringMatching(/^Rye a$/i), expect.stringMatching(/b/), "rye C"],
    ],
  ])("by %s, and no page repeats or skips one", async (sort, wanted) => {
    const inOne = await titlesOf(`/submission?q=rye&sort=${sort}`);
    expect(inOne).toEqual(wanted);
    for (const limit of [1, 2, 3])
      expect(await titlesOf(`/submission?q=rye&sort=${sort}&limit=${limit}`)).toEqual(inOne);
    const turned = sort.startsWith("-") ? sort.slice(1) : `-${sort}`;
    expect(await titlesOf(`/submission?q=rye&sort=${turned}&limit=1`)).toEqual(inOne.toReversed());
  });

  test("a cursor of another order is refused", async () => {
    const { headers } = await service.api.get("/submission?q=rye&sort=title&limit=1");
    const next = /<([^>]+)>/.exec(headers.get("link") ?? "")?.[1]?.replace("sort=title", "sort=bytes");
    expect((await service.api.get(next ?? "")).json.code).toBe("bad_request");
  });
});

test("the event stream continues live and resumes after Last-Event-ID", async () => {
  s3.createBucket("streamed");
  for (let i = 0; i < 20; i++) s3.put("streamed", `${i}`, `${i}`);
  const { id } = await service.api.submit(accessTo("streamed"));
  const log = await service.api.get(`/submission/${id}/events`, {
    accept: "application/json, text/event-stream;q=0.1",
  });
  expect([log.json[0].id, log.headers.get("vary")]).toEqual([1, "Origin, Accept"]);
  const response = await fetch(`${service.url}/submission/${id}/events`, {
    headers: { accept: "text/event-stream", "last-event-id": "1" },
  });
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes("event: completed")) break;
  }
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
  expect(ids[0]).toBe(2);
  expect(ids).toEqual(ids.map((_, index) => index + 2));
  expect(text).toContain("event: progress");
});

test("files are exported as CSV, with formulas escaped", async () => {
  s3.createBucket("csv");
  s3.put("csv", '=HYPERLINK("x")', "a");
  s3.put("csv", "b,c", "b");
  const { id } = await service.api.submit(accessTo("csv"));
  await service.api.until(id, ["completed"]);
  const { text, headers } = await service.api.get(`/submission/${id}/files`, { accept: "text/csv" });
  expect(headers.get("content-type")).toContain("text/csv");
  const [header, ...lines] = text.trimEnd().split("\r\n");
  expect(header).toMatch(/^path,key,bytes,sha512/);
  expect(lines[0]).toContain(`"'=HYPERLINK(""x"")"`);
  expect(lines[1]).toContain('"data/b,c","b,c",1,');
  const second = await service.api.get(`/submission/${id}/files?from=1`);
  expect(second.json.map(({ key }: { key: string }) => key)).toEqual(["b,c"]);
});

test("completed submissions remain available after a restart", { tags: "extended" }, async () => {
  s3.createBucket("restarted");
  s3.put("restarted", "a", "a");
  const { id } = await service.api.submit(accessTo("restarted"));
  await service.api.until(id, ["completed"]);
  await service.restart();
  const after = await service.api.submission(id);
  expect(after.status).toBe("completed");
  expect((await service.api.get(`/dataset/${after.dataset?.id}`)).json).toMatchObject({ version: 1 });
});
