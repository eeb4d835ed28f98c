import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { goodMetadata, type Submission } from "../support/api/api.ts";
import { TusClient } from "../support/api/tus-client.ts";
import { findPackage } from "../support/archive/package.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let service: TestService;
const tus = new TusClient(() => service.api);

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService();
});
afterAll(async () => {
  const { findings } = await checkRoot(join(service.archive, "ocfl"));
  await service.stop();
  await s3.close();
  expect(findings).toEqual([]);
});

let number = 0;
function bucketOf(objects: Record<string, string>): { endpoint: string; bucket: string } & typeof keys {
  const bucket = `digests-${number++}`;
  s3.createBucket(bucket);
  for (const [key, body] of Object.entries(objects)) s3.put(bucket, key, body);
  return { endpoint: s3.endpoint, bucket, ...keys };
}

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest("hex");
/** A list as GNU coreutils write it. */
const sums = (objects: Record<string, string>, algorithm = "sha256") =>
  Object.entries(objects)
    .map(([path, body]) => `${hex(algorithm, body)}  ${path}\n`)
    .join("");
const objects = { "run/a.csv": "a", "run/b.csv": "bb", "run/c/d.bin": "ddd" };
const readsOf = (bucket: string, key?: string) =>
  s3.history.filter(
    (one) => one.bucket === bucket && one.operation === "get" && (key === undefined || one.key === key),
  );
const verifiedOf = async (id: string) =>
  (await service.api.files(id)).map(({ key, verifiedBy, verifiedWith }) => [key, verifiedBy, verifiedWith]);
const submit = (access: object, digests: object[], more: object = {}) =>
  service.api.submit(access, { digests, ...more });
const errorsOf = async (digests: unknown) => {
  const s3Access = bucketOf(objects);
  const { status, json } = await service.api.post("/submission/upload/s3upload", {
    ...{ metadata: goodMetadata, s3Access, digests },
  });
  expect([status, json.code]).toEqual([422, "invalid_request"]);
  return json.errors.map(({ pointer, code, detail }: Record<string, string>) => [pointer, code, detail]);
};

describe("lists in the request", () => {
  const forms: [name: string, list: object, by: string][] = [
    ["sha256sum", { text: sums(objects) }, "submitter-sha256"],
    ["sha512sum", { text: sums(objects, "sha512"), format: "sha512sum" }, "submitter-sha512"],
    ["md5sum", { text: sums(objects, "md5"), name: "run.md5" }, "submitter-md5"],
    ["sha1sum", { text: sums(objects, "sha1") }, "submitter-sha1"],
    [
      "csv",
      {
        text: `path;sha256\n${Object.entries(objects)
          .map(([path, body]) => `${path};${hex("sha256", body)}\n`)
          .join("")}`,
      },
      "submitter-sha256",
    ],
    ["bagit", { text: sums(objects, "sha1").replaceAll("  ", " "), format: "bagit" }, "submitter-sha1"],
  ];
  test.each(forms)("of the format %s verify every listed file", async (_, list, by) => {
    const { id } = await submit(bucketOf({ ...objects, "run/extra": "x" }), [list]);
    const completed = await service.api.until(id, ["completed"]);
    expect(await verifiedOf(id)).toEqual([
      ...["run/a.csv", "run/b.csv", "run/c/d.bin"].map((key) => [key, "submitter", by]),
      ["run/extra", "md5", "md5"],
    ]);
    expect(completed.digests).toMatchObject({
      lists: [{ origin: "request", entries: 3 }],
      comparison: { files: 3, missing: { total: 0 }, additional: { total: 1, keys: ["run/extra"] } },
      differing: 0,
    });
    const receipt = await service.api.receipt(id);
    expect(receipt.verified).toEqual({ submitter: 3, checksum: 0, md5: 1, "md5-parts": 0, length: 0 });
    expect(receipt.sourceMayBeDeleted).toBe("yes");
    const { manifest, folder } = await findPackage(service.archive, completed.dataset?.id ?? "");
    const sent = await readFile(join(folder, "logs/v1/digests-1.txt"), "utf8");
    expect(sent).toBe((list as { text: string }).text);
    expect(receipt.digestLists).toEqual({
      lists: [{ ...completed.digests?.lists[0], path: "logs/v1/digests-1.txt", sha512: hex("sha512", sent) }],
      ...{ files: 3, notSelected: 0, differing: 0, additional: { total: 1, keys: ["run/extra"] } },
    });
    const algorithm = by.replace("submitter-", "");
    expect(manifest[0]).toMatchObject({ verifiedBy: "submitter", stated: { [algorithm]: hex(algorithm, "a") } });
  });

  test("with paths relative to the selected folder, and several algorithms", async () => {
    const relative = { "a.csv": "a", "./b.csv": "bb", "c/d.bin": "ddd" };
    const lists = [
      { text: sums(relative) },
      { text: sums(relative, "md5") },
      { text: sums({ x: "x", "../run/a.csv": "a" }).replace("../", ""), base: "/" },
    ];
    const access = bucketOf({ ...objects, x: "x" });
    const { id } = await submit(access, lists, { selection: { prefix: "run/" } });
    const { digests } = await service.api.until(id, ["completed"]);
    expect(digests?.comparison).toMatchObject({
      files: 3,
      notSelected: 1,
      missing: { total: 0 },
      additional: { total: 0 },
    });
    expect((await verifiedOf(id)).map(([, , by]) => by)).toEqual(Array(3).fill("submitter-sha256"));
  });

  test("are checked before the submission is accepted, and errors name list, line and remedy", async () => {
    const good = hex("sha256", "a");
    expect(
      await errorsOf([
        { text: `${good}  a\n${good}  /etc/passwd\n${good}  ../x\noh\n` },
        { text: sums({ a: "other" }) },
      ]),
    ).toEqual([
      ["/digests/0/text", "digest_path_invalid", expect.stringContaining("Line 2: The path is absolute.")],
      ["/digests/0/text", "digest_path_invalid", "Line 3: The path contains “..”, which leads out of the folder."],
      ["/digests/0/text", "digest_line_invalid", expect.stringContaining("Line 4: ")],
      ["/digests/1/text", "digest_contradicted", "Line 1: Another line states a different checksum for this file."],
    ]);
    expect(await errorsOf([{ text: "hello" }, { text: "\n\n" }, {}, { text: sums({ a: "a" }), key: "x" }])).toEqual([
      ["/digests/0/text", "digest_format_unknown", expect.stringContaining("State it in “format”")],
      ["/digests/1/text", "digest_list_empty", expect.anything()],
      ["/digests/2", "wrong_value", expect.anything()],
      ["/digests/3", "wrong_value", expect.anything()],
    ]);
    expect(await errorsOf([{ text: `${good}  ${"x".repeat(9_000)}` }])).toMatchObject([
      ["/digests/0/text", "digest_line_invalid", expect.anything()],
    ]);
    expect(await errorsOf([{ text: "\n".repeat(300_001) }])).toEqual([
      ["/digests/0/text", "digest_line_invalid", expect.stringContaining("more than 300,000 lines")],
    ]);
    expect(await errorsOf(Array(11).fill({ text: sums({ a: "a" }) }))).toMatchObject([
      ["/digests", "too_long", expect.anything()],
    ]);
    expect(await errorsOf([{ text: "a", format: "crc32" }])).toMatchObject([
      ["/digests/0/format", "wrong_value", expect.anything()],
    ]);
  });

  test("without a selected file are refused", async () => {
    const s3Access = bucketOf(objects);
    const selection = { prefix: "run/" };
    const sent = { metadata: goodMetadata, s3Access, selection, digests: [{ text: sums({ x: "x" }), base: "other" }] };
    for (const [path, body] of [
      ["s3upload", sent],
      ["s3preview", { ...s3Access, selection, digests: sent.digests }],
    ] as const) {
      const { json } = await service.api.post(`/submission/upload/${path}`, body);
      expect(json.errors).toMatchObject([
        {
          ...{ pointer: "/digests/0/text", code: "digest_list_empty" },
          detail: expect.stringContaining("no selected file. Its paths are relative to “other/”"),
        },
      ]);
    }
  });

  test("belong to the content of the request", async () => {
    const s3Access = bucketOf(objects);
    const send = async (text: string) => {
      const request = { metadata: goodMetadata, s3Access, digests: [{ text }] };
      return (await service.api.post("/submission/upload/s3upload", request, { "accession-repeat": "false" })).json.id;
    };
    const id = await send(sums(objects));
    expect(await send(sums(objects))).toBe(id);
    expect(await send(sums(objects, "md5"))).not.toBe(id);
  });
});

describe("a file that differs from its list", () => {
  let submission: Submission;
  let access: ReturnType<typeof bucketOf>;
  const original = { ...objects, large: "l".repeat(2 * 1024 * 1024) };

  beforeAll(async () => {
    access = bucketOf({ ...original, SHA256SUMS: sums(original) });
    s3.put(access.bucket, "run/a.csv", "A");
    s3.put(access.bucket, "large", `L${original.large.slice(1)}`);
    submission = await submit(access, [{ key: "SHA256SUMS" }]);
  });

  test("is not archived; all of them are named with stated and found checksum, and read once if the source’s digest matches", async () => {
    const { id } = submission;
    const waiting = await service.api.until(id, ["waiting"]);
    expect(waiting.waiting).toMatchObject({ code: "objects_unreadable", fault: "submitter" });
    expect(waiting.waiting?.message).toContain("2 of 5 objects cannot be read, or differ from their stated checksum");
    expect(waiting.digests).toMatchObject({
      lists: [{ name: "SHA256SUMS", origin: "source", entries: 4 }],
      comparison: { additional: { total: 0 } },
      differing: 2,
    });
    const failed = await service.api.files(id, "&state=failed");
    expect(failed.map(({ key, error }) => [key, error?.code])).toEqual([
      ["large", "digest_differs"],
      ["run/a.csv", "digest_differs"],
    ]);
    const [stated, found] = [hex("sha256", "a"), hex("sha256", "A")];
    expect(failed[1]?.error?.message).toBe(
      `The sha256 of “run/a.csv” is ${found}, but the submitter’s list states ${stated}`,
    );
    expect(readsOf(access.bucket, "run/a.csv")).toHaveLength(1);
    const { text } = await service.api.get(`/submission/${id}/files?state=failed`, { accept: "text/csv" });
    expect(text).toContain(`digest_differs,"The sha256 of “run/a.csv” is ${found}`);
  });

  test("is archived after a retry if it or the list was corrected; the others are not read again", async () => {
    s3.put(access.bucket, "run/a.csv", "a");
    s3.put(access.bucket, "SHA256SUMS", sums({ ...original, large: `L${original.large.slice(1)}` }));
    s3.clearHistory();
    await service.api.post(`/submission/${submission.id}/retry`);
    const completed = await service.api.until(submission.id, ["completed"]);
    expect(completed.digests).toMatchObject({ differing: 0, comparison: { files: 4 } });
    expect(await verifiedOf(submission.id)).toEqual([
      ["SHA256SUMS", "md5", "md5"],
      ...["large", "run/a.csv", "run/b.csv", "run/c/d.bin"].map((key) => [key, "submitter", "submitter-sha256"]),
    ]);
    const read = new Set(readsOf(access.bucket).map(({ key }) => key));
    expect([...read].sort()).toEqual(["SHA256SUMS", "large", "run/a.csv"]);
  });

  test("can be excluded, and is then counted as excluded; a retry counts again", async () => {
    const access = bucketOf(objects);
    s3.addFault({
      match: { bucket: access.bucket, operation: "get", key: "run/c/d.bin" },
      fault: { status: 403, code: "AccessDenied" },
    });
    const { id } = await submit(access, [{ text: sums({ ...objects, "run/b.csv": "other" }) }]);
    const unreadable = await service.api.until(id, ["waiting"]);
    expect(unreadable.digests).toMatchObject({ differing: 1, differingExcluded: 0 });
    const excluded = { keys: ["run/b.csv"], reason: "damaged on the instrument" };
    await service.api.post(`/submission/${id}/exclude`, excluded);
    expect(await service.api.submission(id)).toMatchObject({
      ...{ status: "waiting", progress: { objectsFailed: 1 }, digests: { differing: 1, differingExcluded: 1 } },
    });
    s3.clearFaults();
    await service.api.post(`/submission/${id}/retry`);
    const again = await service.api.until(id, ["waiting"]);
    expect(again.digests).toMatchObject({ differing: 1, differingExcluded: 0 });
    await service.api.post(`/submission/${id}/exclude`, excluded);
    const completed = await service.api.until(id, ["completed"]);
    expect(completed.digests).toMatchObject({ differing: 1, differingExcluded: 1 });
    const { exclusions, digestLists } = await service.api.receipt(id);
    expect(exclusions).toMatchObject([{ key: "run/b.csv", code: "digest_differs" }]);
    expect(digestLists).toMatchObject({ differing: 1 });
  });

  test("is read again if the source states no digest", async () => {
    const access = bucketOf({});
    // The check of the bucket reads the first object.
    s3.put(access.bucket, "a", "a");
    s3.put(access.bucket, "b", "B", { etag: '"opaque"' } as never);
    const { id } = await submit(access, [{ text: sums({ b: "b" }) }]);
    await service.api.until(id, ["waiting"]);
    expect((await service.api.files(id, "&state=failed")).map(({ error }) => error?.code)).toEqual(["digest_differs"]);
    expect(readsOf(access.bucket, "b")).toHaveLength(2);
  });
});

test("states of earlier versions do not count excluded files as open, and do not name read lists as unread", async () => {
  const stated = { ...objects, "run/a.csv": "other", "run/b.csv": "other" };
  const damaged = async (keys: string[]) => {
    const { id } = await submit(bucketOf({ ...objects, sums: sums(stated) }), [{ key: "sums" }]);
    await service.api.until(id, ["waiting"]);
    await service.api.post(`/submission/${id}/exclude`, { keys, reason: "damaged on the instrument" });
    return id;
  };
  const ids = [await damaged(["run/a.csv", "run/b.csv"]), await damaged(["run/b.csv"])];
  await service.api.until(ids[0] ?? "", ["completed"]);
  await service.restart(async () => {
    const database = await service.database();
    await sql`update submission set digests =
      jsonb_set(digests::jsonb - 'differingExcluded', '{unread}', '[{"name": "sums", "origin": "source"}]')
      where id in (${sql.join(ids)})`.execute(database.queries);
    await database.close();
  });
  const [completed, waiting] = await Promise.all(ids.map((id) => service.api.submission(id)));
  const lists = { lists: [{ name: "sums", origin: "source", entries: 3 }], unread: [] };
  expect(completed).toMatchObject({ status: "completed", digests: { ...lists, differing: 2, differingExcluded: 2 } });
  expect(waiting).toMatchObject({ status: "waiting", digests: { ...lists, differing: 2, differingExcluded: 1 } });
});

test("missing files stop the submission before it is complete, and a retry continues when they were added", async () => {
  const missing = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`run/m${index}`, "m"]));
  const access = bucketOf(objects);
  const { id } = await submit(access, [{ text: sums({ ...objects, ...missing }) }]);
  const waiting = await service.api.until(id, ["waiting"]);
  expect(waiting.waiting).toMatchObject({ code: "digest_files_missing", fault: "submitter" });
  expect(waiting.waiting?.message).toBe(
    "The bucket lacks 7 files of the checksum lists: “run/m0”, “run/m1”, “run/m2”, “run/m3”, “run/m4” and others",
  );
  expect(waiting.digests?.comparison?.missing).toEqual({ total: 7, keys: Object.keys(missing) });
  const listed: { key: string; digests: object }[] = [];
  for (let path: string | undefined = `/submission/${id}/missing?limit=3`; path !== undefined; ) {
    const { json, headers } = await service.api.get(path);
    listed.push(...json);
    path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  }
  const sha256 = hex("sha256", "m");
  expect(listed).toEqual(Object.keys(missing).map((key) => ({ key, digests: { sha256 } })));
  const { text } = await service.api.get(`/submission/${id}/missing`, { accept: "text/csv" });
  expect(text.split("\r\n")).toEqual([
    "key,algorithm,digest",
    ...Object.keys(missing).map((key) => `${key},sha256,${sha256}`),
    "",
  ]);
  for (const [key, body] of Object.entries(missing)) s3.put(access.bucket, key, body);
  await service.restart();
  await service.api.post(`/submission/${id}/retry`);
  const completed = await service.api.until(id, ["completed"]);
  expect(completed.digests?.comparison).toMatchObject({ files: 10, missing: { total: 0, keys: [] } });
});

test.each([
  ["backslashes", "run\\a.csv", "run/a.csv", "Write “/” instead of “\\” between folders"],
  ["another form of Unicode", "ä.csv".normalize("NFD"), "ä.csv".normalize("NFC"), "another form of Unicode"],
  ["the folder of the upload before them", "run/plots/a.csv", "plots/a.csv", "The paths in the list begin with “run/”"],
])("missing files that are only written with %s are told with this cause", async (_, listed, key, cause) => {
  const text = `${hex("sha256", "a")}  ${listed}\n`;
  const { id } = await submit(bucketOf({ [key]: "a" }), [{ text }]);
  expect((await service.api.until(id, ["waiting"])).waiting).toMatchObject({
    ...{ code: "digest_files_missing", message: expect.stringContaining(cause) },
  });
});

describe("lists in the bucket", () => {
  const stopped = async (objects: Record<string, string>, list: object) => {
    const { id } = await submit(bucketOf(objects), [list]);
    return (await service.api.until(id, ["waiting"])).waiting;
  };

  test("have paths relative to their folder, and are read also if they are not selected", async () => {
    const access = bucketOf({
      ...objects,
      "run/sums.md5": sums({ "a.csv": "a", "b.csv": "bb", "c/d.bin": "ddd" }, "md5"),
    });
    const { id } = await submit(access, [{ key: "run/sums.md5" }], { selection: { exclude: ["**.md5"] } });
    const { digests } = await service.api.until(id, ["completed"]);
    expect(digests?.comparison).toMatchObject({ files: 3, additional: { total: 0 } });
    expect((await verifiedOf(id)).map(([, , by]) => by)).toEqual(Array(3).fill("submitter-md5"));
  });

  test("that do not exist, or cannot be read, stop the submission", async () => {
    expect(await stopped(objects, { key: "SHA256SUMS" })).toMatchObject({
      ...{ code: "digest_list_unreadable", fault: "submitter" },
      message: "The checksum list “SHA256SUMS” does not exist",
    });
    const access = bucketOf({ ...objects, sums: sums(objects) });
    s3.addFault({
      match: { bucket: access.bucket, operation: "get", key: "sums" },
      fault: { status: 403, code: "AccessDenied" },
    });
    const { id } = await submit(access, [{ key: "sums" }]);
    expect((await service.api.until(id, ["waiting"])).waiting).toMatchObject({ code: "digest_list_unreadable" });
    s3.clearFaults();
    await service.api.post(`/submission/${id}/retry`);
    await service.api.until(id, ["completed"]);
  });

  test("are named before they are read, also after a retry and if they cannot be used", async () => {
    const access = bucketOf({ ...objects, sums: sums(objects) });
    const held = s3.hold({ bucket: access.bucket, operation: "get", key: "sums" });
    const sent = { text: sums(objects), name: "SHA256SUMS" };
    const unread = [{ name: "sums", origin: "source" }];
    const lists = [{ name: "SHA256SUMS", origin: "request", entries: 3 }];
    const { id } = await submit(access, [sent, { key: "sums" }]);
    await held.reached;
    const before = { ...{ lists, unread, comparison: null }, ...{ differing: 0, differingExcluded: 0 } };
    expect((await service.api.submission(id)).digests).toEqual(before);
    s3.put(access.bucket, "sums", "no checksum\n");
    held.release();
    expect((await service.api.until(id, ["waiting"])).digests).toEqual(before);
    await service.api.post(`/submission/${id}/retry`);
    await service.api.post(`/submission/${id}/cancel`);
    expect((await service.api.until(id, ["cancelled"])).digests).toEqual(before);
    s3.put(access.bucket, "sums", sums(objects));
    const other = await submit(access, [{ key: "sums" }]);
    const { digests } = await service.api.until(other.id, ["completed"]);
    expect(digests).toMatchObject({ lists: [{ name: "sums", origin: "source", entries: 3 }], unread: [] });
  });

  test("are looked for only as far as their key can be", async () => {
    const many = Object.fromEntries(Array.from({ length: 4_100 }, (_, index) => [`data/${index}`, ""]));
    const access = bucketOf({ ...many, z: "z" });
    const { id } = await submit(access, [{ key: "data" }], { selection: { prefix: "z" } });
    expect((await service.api.until(id, ["waiting"])).waiting).toMatchObject({ code: "digest_list_unreadable" });
    const pages = s3.history.filter(
      ({ bucket, operation }) => bucket === access.bucket && operation.startsWith("list"),
    );
    // Those of “z”, by the checks and the listing, and two of “data”: the next page is requested in advance.
    expect(pages.length).toBeLessThan(6);
  });

  test("without a selected file stop the submission, unless the right folder is stated", async () => {
    const access = bucketOf({ ...objects, SHA256SUMS: sums({ "a.csv": "a" }) });
    const selection = { prefix: "run/" };
    const { id } = await submit(access, [{ key: "SHA256SUMS" }], { selection });
    const waiting = (await service.api.until(id, ["waiting"])).waiting;
    const problem = {
      code: "digest_list_invalid",
      message: expect.stringMatching(/names no selected file. Its paths are relative to the whole source. State/),
    };
    expect(waiting).toMatchObject(problem);
    const previewed = { ...access, selection, digests: [{ key: "SHA256SUMS" }] };
    const { json } = await service.api.post("/submission/upload/s3preview", previewed);
    expect(json.digests).toMatchObject({ lists: [{ problem }], comparison: null });
    const right = await submit(access, [{ key: "SHA256SUMS", base: "run" }], { selection });
    await service.api.until(right.id, ["completed"]);
  });

  test("with wrong lines stop the submission, and the first are named", async () => {
    const wrong = `${sums(objects)}\u0000\nabc\n${sums({ "../x": "x", "run/a.csv": "other" })}${"y".repeat(9_000)}\n`;
    const waiting = await stopped({ ...objects, sums: wrong }, { key: "sums" });
    expect(waiting).toMatchObject({ code: "digest_list_invalid", fault: "submitter" });
    expect(waiting?.message).toMatch(
      /^“sums”: line 4: .*; line 5: .*; line 6: The path contains “..”.*; line 8: The line is longer.*; line 7: Another line/,
    );
    expect((await stopped({ ...objects, sums: "z".repeat(40_000) }, { key: "sums" }))?.message).toContain("Line 1");
    const utf16 = bucketOf(objects);
    s3.put(utf16.bucket, "sums", Buffer.from(`\ufeff${sums(objects)}`, "utf16le"));
    const { id } = await submit(utf16, [{ key: "sums" }]);
    expect((await service.api.until(id, ["waiting"])).waiting).toMatchObject({
      ...{ code: "digest_list_invalid", message: "Line 1 of “sums” is not text in UTF-8. Save the list in UTF-8" },
    });
  });

  test("are read again if the service is stopped meanwhile", async () => {
    const access = bucketOf({ ...objects, sums: sums(objects) });
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    const match = { bucket: access.bucket, operation: "get", key: "sums", nth: 1 } as const;
    s3.addFault({ match, fault: { run: resolve, stall: "forever" } });
    const { id } = await submit(access, [{ key: "sums" }]);
    await isRead;
    await service.restart();
    s3.clearFaults();
    const { digests } = await service.api.until(id, ["completed"]);
    expect(digests).toMatchObject({ lists: [{ entries: 3 }], comparison: { files: 3 } });
    expect((await verifiedOf(id)).map(([, , by]) => by)).toEqual([...Array(3).fill("submitter-sha256"), "md5"]);
  });

  test("can have many lines, and contradict those of the request", async () => {
    const many = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`many/${index}`, "x"]));
    const waiting = await stopped({ ...objects, sums: sums({ ...objects, ...many }) }, { key: "sums" });
    expect(waiting).toMatchObject({ code: "digest_files_missing" });
    expect(waiting?.message).toContain("12,000 files");
    const access = bucketOf({ ...objects, sums: sums(objects) });
    const { id } = await submit(access, [{ key: "sums" }, { text: sums({ "run/a.csv": "other" }) }]);
    expect((await service.api.until(id, ["waiting"])).waiting).toMatchObject({ code: "digest_list_invalid" });
  });
});

describe("a bag in the bucket", () => {
  const payload = { "data/a.csv": "a", "data/100%\n.txt": "bb" };
  const declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
  const manifest = (files: Record<string, string>, algorithm: string) =>
    sums(files, algorithm).replaceAll("100%\n", "100%25%0A");
  const info = { "bag-info.txt": "Source-Organization: IPK\n" };
  const bag = {
    ...payload,
    ...info,
    "bagit.txt": declaration,
    "manifest-sha256.txt": manifest(payload, "sha256"),
    "manifest-md5.txt": manifest(payload, "md5"),
    "manifest-blake2b.txt": "not used",
    "tagmanifest-md5.txt": sums({ ...info, "bagit.txt": declaration }, "md5"),
  };
  const below = (folder: string, files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).map(([key, body]) => [folder + key, body]));

  test.each(["", "exports/bag 1/"])("is recognised in the folder “%s”, and its manifests are used", async (prefix) => {
    const access = bucketOf(below(prefix, { ...bag, "data/extra": "x" }));
    const { id } = await service.api.submit(access, { selection: { prefix } });
    const { digests } = await service.api.until(id, ["completed"]);
    expect(digests).toEqual({
      lists: [
        { name: `${prefix}manifest-md5.txt`, origin: "bag", entries: 2 },
        { name: `${prefix}manifest-sha256.txt`, origin: "bag", entries: 2 },
        { name: `${prefix}tagmanifest-md5.txt`, origin: "bag", entries: 2 },
      ],
      comparison: {
        ...{ files: 4, notSelected: 0, missing: { total: 0, keys: [] } },
        additional: { total: 1, keys: [`${prefix}data/extra`] },
      },
      ...{ unread: [], differing: 0, differingExcluded: 0 },
    });
    const by = Object.fromEntries((await verifiedOf(id)).map(([key, , how]) => [key, how]));
    expect([by[`${prefix}data/100%\n.txt`], by[`${prefix}bag-info.txt`]]).toEqual([
      "submitter-sha256",
      "submitter-md5",
    ]);
  });

  test("with a wrong manifest names every file that differs, and can be archived if its manifests are ignored", async () => {
    const wrong = { ...bag, "manifest-md5.txt": manifest({ ...payload, "data/a.csv": "other" }, "md5") };
    const access = bucketOf(wrong);
    const { id } = await service.api.submit(access);
    await service.api.until(id, ["waiting"]);
    expect((await service.api.files(id, "&state=failed")).map(({ key }) => key)).toEqual(["data/a.csv"]);
    const other = await submit(access, []);
    expect((await service.api.until(other.id, ["completed"])).digests).toBeNull();
  });

  test("with files that are to be fetched names them", async () => {
    const fetched = { ...payload, "data/far.bin": "far" };
    const { id } = await service.api.submit(
      bucketOf({
        ...bag,
        "manifest-sha256.txt": manifest(fetched, "sha256"),
        "manifest-md5.txt": manifest(fetched, "md5"),
        "fetch.txt": "https://example.org/far.bin 3 data/far.bin\n",
      }),
    );
    expect((await service.api.until(id, ["waiting"])).waiting).toMatchObject({
      code: "digest_files_missing",
      message:
        "The bucket lacks 1 file of the checksum lists: “data/far.bin”. 1 file is named in fetch.txt of the bag. The service does not fetch files from other places",
    });
  });

  test("with a fetch.txt that cannot be read names the missing files", async () => {
    const fetched = { ...payload, "data/f\nr%.bin": "far" };
    const lists = {
      "manifest-sha256.txt": sums(fetched, "sha256")
        .replaceAll("%", "%25")
        .replaceAll(/(data\/[^\n]*)\n(?=[r.])/g, "$1%0A"),
    };
    const { "manifest-md5.txt": _, ...rest } = bag;
    const missing = "The bucket lacks 1 file of the checksum lists: “data/f\ufffdr%.bin”";
    const line = "https://example.org/far.bin 3 data/f%0Ar%25.bin\n";
    for (const [text, more] of [
      [line, expect.stringContaining(`${missing}. 1 file is named in fetch.txt`)],
      [`${line}${"x".repeat(200_000)}\n`, missing],
    ] as const) {
      const { id } = await service.api.submit(bucketOf({ ...rest, ...lists, "fetch.txt": text }));
      expect((await service.api.until(id, ["waiting"])).waiting).toMatchObject({
        ...{ code: "digest_files_missing", message: more },
      });
    }
  });

  test("with a file that is not in every manifest stops the submission, unless it is older than BagIt 1.0", async () => {
    const partly = { ...bag, "manifest-sha256.txt": manifest({ "data/a.csv": "a" }, "sha256") };
    const access = bucketOf(partly);
    const { id } = await service.api.submit(access);
    const problem = {
      code: "digest_list_invalid",
      message: expect.stringMatching(/1 file is not in each of manifest-md5.txt and manifest-sha256.txt: “data\/100%/),
    };
    const { waiting, digests } = await service.api.until(id, ["waiting"]);
    expect(waiting).toMatchObject(problem);
    expect(digests?.unread).toContainEqual({ name: "manifest-sha256.txt", origin: "bag" });
    const { json } = await service.api.post("/submission/upload/s3preview", access);
    expect(json.digests.lists.at(-1)).toMatchObject({ name: "bagit.txt", problem });
    const tags = { "bagit.txt": declaration.replace("1.0", "0.97"), "tagmanifest-md5.txt": sums(info, "md5") };
    const old = await service.api.submit(
      bucketOf({ ...partly, ...tags, "manifest-md5.txt": sums({ "data/a.csv": "a" }, "md5") }),
    );
    await service.api.until(old.id, ["completed"]);
  });

  test("with manifests of other algorithms states that they are not compared", async () => {
    const access = bucketOf({ ...payload, "bagit.txt": declaration, "manifest-blake2b.txt": "not used" });
    const { json } = await service.api.post("/submission/upload/s3preview", access);
    expect(json.digests.lists).toMatchObject([{ name: "manifest-blake2b.txt", problem: {} }]);
    const { id } = await service.api.submit(access);
    await service.api.until(id, ["completed"]);
    const { json: events } = await service.api.get(`/submission/${id}/events`);
    expect(events.map(({ message }: { message: string }) => message)).toContain(
      "Checksum lists read: 0 lists, 0 checksums; not supported: “manifest-blake2b.txt”",
    );
  });

  test("is not one without a declaration or a manifest of payload", async () => {
    for (const files of [
      { ...bag, "bagit.txt": "hello" },
      { "bagit.txt": declaration, ...info },
    ]) {
      const { id } = await service.api.submit(bucketOf(files));
      expect((await service.api.until(id, ["completed"])).digests).toBeNull();
    }
  });

  test("is recognised behind many keys", async () => {
    const before = Object.fromEntries(Array.from({ length: 1_100 }, (_, index) => [`a/${index}`, ""]));
    const { id } = await service.api.submit(bucketOf({ ...bag, ...before }));
    expect((await service.api.until(id, ["completed"])).digests).toMatchObject({ comparison: { files: 4 } });
  });
});

test("objects of an earlier version that were compared with the same checksums are not read again, and all others are", async () => {
  const access = bucketOf({ ...objects, first: "read by the check of the bucket" });
  const { id } = await submit(access, [{ text: sums({ "run/a.csv": "a" }) }]);
  const { dataset } = await service.api.until(id, ["completed"]);
  s3.clearHistory();
  const lists = [
    { text: sums({ "run/a.csv": "a", "run/b.csv": "bb" }) },
    { text: sums({ "run/c/d.bin": "ddd" }, "sha512") },
  ];
  const second = await submit(access, lists, { dataset: { id: dataset?.id } });
  await service.api.until(second.id, ["completed"]);
  expect(readsOf(access.bucket).map(({ key }) => key)).toEqual(["first", "run/b.csv"]);
  expect((await verifiedOf(second.id)).map(([, , by]) => by)).toEqual([
    ...["md5", "submitter-sha256", "submitter-sha256", "submitter-sha512"],
  ]);
  const third = await submit(access, [{ text: sums({ ...objects, "run/c/d.bin": "other" }) }], {
    dataset: { id: dataset?.id },
  });
  await service.api.until(third.id, ["waiting"]);
  expect((await service.api.files(third.id, "&state=failed")).map(({ key }) => key)).toEqual(["run/c/d.bin"]);
  await service.api.post(`/submission/${third.id}/cancel`);
});

describe("an upload", () => {
  const uploaded = async (files: Record<string, string>, sha512: null | undefined = undefined) => {
    const { id, files: address } = await tus.upload();
    for (const [path, body] of Object.entries(files))
      await tus.send(address, path, Buffer.from(body), sha512 === null ? { sha512 } : {});
    return id;
  };
  const submitUpload = async (id: string, digests: object[]) =>
    (await service.api.post("/submission/upload/s3upload", { metadata: goodMetadata, upload: { id }, digests })).json
      .id;

  test("is compared with lists in the request and in the upload", async () => {
    const area = await uploaded({ ...objects, "run/SHA1SUMS": sums({ "c/d.bin": "ddd" }, "sha1") }, null);
    const id = await submitUpload(area, [
      { text: sums({ "run/a.csv": "a", "run/b.csv": "bb" }) },
      { key: "run/SHA1SUMS" },
    ]);
    const { digests } = await service.api.until(id, ["completed"]);
    expect(digests).toMatchObject({ comparison: { files: 3, additional: { total: 0 } } });
    expect(await verifiedOf(id)).toEqual([
      ["run/SHA1SUMS", "length", "length"],
      ["run/a.csv", "submitter", "submitter-sha256"],
      ["run/b.csv", "submitter", "submitter-sha256"],
      ["run/c/d.bin", "submitter", "submitter-sha1"],
    ]);
  });

  test("with missing and with different files is not archived, and returns to its owner", async () => {
    const area = await uploaded(objects);
    const missing = await submitUpload(area, [{ text: sums({ ...objects, other: "o" }) }]);
    expect((await service.api.until(missing, ["waiting"])).waiting).toMatchObject({
      ...{ code: "digest_files_missing", message: "The upload lacks 1 file of the checksum lists: “other”" },
    });
    await service.api.post(`/submission/${missing}/cancel`);
    const different = await submitUpload(area, [{ text: sums({ ...objects, "run/a.csv": "other" }, "md5") }]);
    await service.api.until(different, ["waiting"]);
    expect((await service.api.files(different, "&state=failed")).map(({ error }) => error?.code)).toEqual([
      "digest_differs",
    ]);
    await service.api.post(`/submission/${different}/cancel`);
    const right = await submitUpload(area, [{ text: sums(objects) }]);
    await service.api.until(right, ["completed"]);
  });

  test("that is a bag is recognised", async () => {
    const files = { "data/a": "a", "bagit.txt": "BagIt-Version: 0.97\nTag-File-Character-Encoding: UTF-8\n" };
    const area = await uploaded({ ...files, "manifest-sha1.txt": sums({ "data/a": "a" }, "sha1") });
    const { json } = await tus.submit(area);
    expect((await service.api.until(json.id, ["completed"])).digests).toMatchObject({ lists: [{ origin: "bag" }] });
  });
});

describe("a preview", () => {
  const previewOf = async (access: object, more: object) => {
    const { status, json } = await service.api.post("/submission/upload/s3preview", { ...access, ...more });
    expect(status, JSON.stringify(json)).toBe(200);
    return json.digests;
  };

  test("names missing and additional files of lists in the request and in the bucket", async () => {
    const access = bucketOf({ ...objects, "run/sums": sums({ "b.csv": "bb", gone: "x" }) });
    const digests = await previewOf(access, { digests: [{ text: sums({ "run/a.csv": "a" }) }, { key: "run/sums" }] });
    expect(digests).toEqual({
      lists: [
        { name: "", origin: "request", entries: 1, problem: null },
        { name: "run/sums", origin: "source", entries: 2, problem: null },
      ],
      comparison: {
        ...{ files: 3, notSelected: 0, missing: { total: 1, keys: ["run/gone"] } },
        additional: { total: 1, keys: ["run/c/d.bin"] },
      },
    });
    expect(await previewOf(access, {})).toBeUndefined();
  });

  test("names lists that cannot be used, and recognises a bag", async () => {
    const bagit = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
    const bag = {
      "data/a": "a",
      "bagit.txt": bagit,
      "manifest-md5.txt": sums({ "data/a": "a", "data/b": "b" }, "md5"),
    };
    const access = bucketOf({ ...bag, sums: "wrong\nwrong" });
    expect(await previewOf(access, {})).toMatchObject({
      lists: [{ name: "manifest-md5.txt", origin: "bag", entries: 2, problem: null }],
      comparison: { missing: { total: 1, keys: ["data/b"] }, additional: { total: 0 } },
    });
    expect(await previewOf(access, { digests: [] })).toBeUndefined();
    const { lists, comparison } = await previewOf(access, {
      digests: [{ key: "sums", format: "md5sum" }, { key: "none" }],
    });
    expect(comparison).toBeNull();
    expect(lists.map(({ problem }: { problem: { code: string } | null }) => problem?.code)).toEqual([
      ...["digest_list_invalid", "digest_list_unreadable", undefined],
    ]);
    const refused = await service.api.post("/submission/upload/s3preview", { ...access, digests: [{ text: "wrong" }] });
    expect(refused.json.errors).toMatchObject([{ pointer: "/digests/0/text", code: "digest_format_unknown" }]);
  });

  test("compares no lists that are too large for it, and does not read their rest", async () => {
    const access = bucketOf({ "run/a": "a" });
    const name = (index: number) => `${index}`.padStart(1_000, "x");
    const many = Array.from({ length: 40_000 }, (_, index) => `${hex("md5", "")}  ${name(index)}\n`).join("");
    s3.put(access.bucket, "sums", `${many}${"wrong\n".repeat(10)}`);
    const { lists, comparison } = await previewOf(access, { digests: [{ key: "sums" }] });
    expect([lists[0].problem, comparison]).toEqual([null, null]);
    expect(lists[0].entries).toBeLessThan(40_000);
  });

  test("with a manifest of a bag that cannot be read states no comparison", async () => {
    const bagit = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
    const access = bucketOf({ "data/a": "a", "bagit.txt": bagit });
    for (const algorithm of ["md5", "sha1"])
      s3.put(access.bucket, `manifest-${algorithm}.txt`, sums({ "data/a": "a" }, algorithm));
    const match = { bucket: access.bucket, operation: "get", key: "manifest-md5.txt" } as const;
    s3.addFault({ match, fault: { stall: "forever" } });
    const { lists, comparison } = await previewOf(access, {});
    s3.clearFaults();
    expect(comparison).toBeNull();
    expect(lists).toMatchObject([{ name: "manifest-md5.txt", problem: {} }, { name: "manifest-sha1.txt" }]);
  });
});
