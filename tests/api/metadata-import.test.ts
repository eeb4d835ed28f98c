import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PutOptions, type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { samples } from "../support/metadata-files/samples.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const MIB = 2 ** 20;
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

function bucketOf(name: string, objects: Record<string, string | Buffer>, options: PutOptions = {}): object {
  s3.createBucket(name);
  for (const [key, body] of Object.entries(objects)) s3.put(name, key, body, options);
  return { endpoint: s3.endpoint, bucket: name, ...keys };
}

const suggest = (access: object, selection: object = {}) =>
  service.api.post("/submission/upload/s3metadata", { ...access, selection });
const preview = async (access: object, selection: object = {}) =>
  (await service.api.post("/submission/upload/s3preview", { ...access, selection })).json.metadataFiles;
const send = (name: string, content: string | Buffer) => sendAll({ [name]: content });
const sendAll = (files: Record<string, string | Buffer>) =>
  service.api.post("/metadata/import", {
    files: Object.entries(files).map(([name, content]) => ({
      name,
      content: Buffer.from(content as string).toString("base64"),
    })),
  });
const readsOf = (bucket: string) =>
  s3.history.filter((one) => one.bucket === bucket && one.operation === "get").map(({ key }) => key);
const problemsIn = (json: { files: { key: string; problem: { code: string } | null }[] }) =>
  Object.fromEntries(json.files.map(({ key, problem }) => [key, problem?.code ?? null]));

/** A server whose bucket lists a file of 2 bytes. The file is endless. */
async function endlessServer(headers: Record<string, number>) {
  const counts = { requests: 0, sent: 0 };
  const listing = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>endless</Name>
<Prefix></Prefix><KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>
<Contents><Key>datacite.json</Key><LastModified>2026-03-01T00:00:00.000Z</LastModified><ETag>"abc"</ETag><Size>2</Size>
<StorageClass>STANDARD</StorageClass></Contents></ListBucketResult>`;
  const server = createServer((request, response) => {
    if (request.url?.includes("list-type")) return response.setHeader("content-type", "application/xml").end(listing);
    counts.requests++;
    response.writeHead(200, { etag: '"abc"', ...headers });
    const bytes = Readable.from(endlessBytes()).on("data", ({ length }) => {
      counts.sent += length;
    });
    return pipeline(bytes, response).catch(() => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(counts, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

async function* endlessBytes(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(64 * 1024, " ");
}

describe("a bucket with a metadata file of every kind", () => {
  const decoys = Object.entries(samples).map(([name, content]) => [
    `raw/${name}`,
    content.replaceAll("Title", "Decoy"),
  ]);
  const others = { "CITATION.cff.bak": "title: Decoy", "plot-1.csv": "1,2\n", "readme.pdf": "Decoy" };
  let access: object;

  beforeAll(() => {
    access = bucketOf("described", { ...samples, ...Object.fromEntries(decoys), ...others });
  });

  test("the preview lists those at the top level, in the order of precedence, without reading them", async () => {
    s3.clearHistory();
    expect(await preview(access)).toEqual([
      { key: "datacite.json", kind: "datacite-json", bytes: samples["datacite.json"]?.length },
      { key: "datacite.xml", kind: "datacite-xml", bytes: samples["datacite.xml"]?.length },
      { key: "ro-crate-metadata.json", kind: "ro-crate", bytes: expect.any(Number) },
      { key: "CITATION.cff", kind: "cff", bytes: expect.any(Number) },
      { key: "codemeta.json", kind: "codemeta", bytes: expect.any(Number) },
      { key: "i_trial.txt", kind: "isa-tab", bytes: expect.any(Number) },
      { key: "datapackage.json", kind: "datapackage", bytes: expect.any(Number) },
      { key: "dataset_description.json", kind: "bids", bytes: expect.any(Number) },
      { key: "README.md", kind: "readme", bytes: expect.any(Number) },
    ]);
    expect(s3.history.map(({ operation }) => operation)).toEqual(["list"]);
  });

  test("each field comes from the first file that has it", async () => {
    s3.clearHistory();
    const { status, json } = await suggest(access);
    expect(status).toBe(200);
    expect(json.values).toMatchObject({
      title: "Soil moisture of 24 wheat plots",
      description: "Hourly soil moisture, air temperature and leaf area index of wheat plots.",
      authors: [
        { role: "Creator", firstName: "Josiah", lastName: "Carberry", orcid: "0000-0002-1825-0097" },
        { role: "Creator", firstName: "Jane", lastName: "Doe" },
      ],
      fundingReferences: [{ funderName: "Barley Foundation", awardNumber: "BF-12" }],
      dates: [{ date: "2026-03-01/2026-07-31", dateType: "Collected" }],
      subjects: ["wheat", "soil"],
      contact: { email: "jane@example.org" },
    });
    expect(json.sources).toEqual({
      title: "datacite.json",
      authors: "datacite.json",
      fundingReferences: "datacite.json",
      dates: "datacite.json",
      versionLabel: "datacite.xml",
      language: "ro-crate-metadata.json",
      license: "CITATION.cff",
      subjects: "codemeta.json",
      contact: "i_trial.txt",
      acknowledgements: "dataset_description.json",
      description: "README.md",
    });
    expect(JSON.stringify(json)).not.toContain("Decoy");
    expect(json.files[0].remarks).toEqual([
      { place: "/creators/1", message: expect.stringMatching(/^“orcid”: .* The value is not used\.$/) },
    ]);
    expect(readsOf("described").toSorted()).toEqual(Object.keys(samples).toSorted());
  });

  test("the values are a valid submission", async () => {
    const { json } = await suggest(access);
    expect((await service.api.post("/submission/validate", { metadata: json.values })).json.errors).toEqual([]);
  });

  test("only the selected folder counts, with or without its last slash", async () => {
    for (const prefix of ["raw/", "raw"]) {
      expect((await preview(access, { prefix })).map(({ key }: { key: string }) => key)).toHaveLength(9);
      const { json } = await suggest(access, { prefix });
      expect(json.sources.license).toBe("raw/CITATION.cff");
      expect(json.values.description).not.toContain("Decoy");
    }
    expect(await preview(access, { prefix: "ra" })).toEqual([]);
  });

  test("excluded files are neither listed nor read", async () => {
    const selection = { include: ["*.csv", "CITATION.cff"] };
    expect(await preview(access, selection)).toMatchObject([{ key: "CITATION.cff" }]);
    s3.clearHistory();
    expect((await suggest(access, selection)).json.values.title).toBe("Title from CFF");
    expect(readsOf("described")).toEqual(["CITATION.cff"]);
  });
});

describe("hostile and damaged files", () => {
  test("a file that is too large is not requested; the others are read", async () => {
    const access = bucketOf("large", {
      "datacite.json": Buffer.alloc(2 * MIB + 1, " "),
      "CITATION.cff": samples["CITATION.cff"] ?? "",
    });
    s3.clearHistory();
    const { json } = await suggest(access);
    expect(json.files[0].problem).toMatchObject({
      code: "metadata_file_invalid",
      fault: "submitter",
      detail: expect.stringContaining("at most 2.0 MiB"),
      action: expect.stringMatching(/\.$/),
    });
    expect(json.sources.title).toBe("CITATION.cff");
    expect(readsOf("large")).toEqual(["CITATION.cff"]);
  });

  test.each(["stated", "not stated"])(
    "a body that never ends is read up to the listed size, if its length is %s",
    async (length) => {
      await using server = await endlessServer(length === "stated" ? { "content-length": 2 ** 40 } : {});
      const { json } = await suggest({ endpoint: server.url, bucket: "endless", anonymous: true });
      expect(problemsIn(json)).toEqual({ "datacite.json": "object_length_wrong" });
      expect(server.requests).toBeGreaterThan(0);
      // What the buffers of the sockets hold.
      expect(server.sent).toBeLessThan(32 * MIB);
    },
  );

  test("one damaged file of each kind, bombs and binary data do not prevent the last one", async () => {
    const secret = "secret-in-a-file";
    // Each list refers to the previous one ten times.
    const aliases = Array.from(
      { length: 9 },
      (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(10)}]\n`,
    ).join("");
    const access = bucketOf("damaged", {
      "datacite.json": `{"titles": [{"title": "${secret}"`,
      "datacite.xml": `<!DOCTYPE a [<!ENTITY b "${secret}">]><resource>&b;</resource>`,
      "ro-crate-metadata.json": "[".repeat(MIB),
      "CITATION.cff": `a0: &a0 [${secret}]\n${aliases}`,
      "codemeta.json": Buffer.from([0, 1, 2, 0xff]),
      "datapackage.json": `[${"[],".repeat(600_000)}[]]`,
      "dataset_description.json": `{"Name": "${secret}", "Name": {"a": [1]}, "License": "MIT"}`,
      "README.txt": Buffer.alloc(2 * MIB, "README with many words in one line "),
    });
    const { status, json, text } = await suggest(access);
    expect(status).toBe(200);
    expect(problemsIn(json)).toEqual({
      "datacite.json": "metadata_file_invalid",
      "datacite.xml": "metadata_file_invalid",
      "ro-crate-metadata.json": "metadata_file_invalid",
      "CITATION.cff": "metadata_file_invalid",
      "codemeta.json": "metadata_file_invalid",
      "datapackage.json": "metadata_file_invalid",
      "dataset_description.json": null,
      "README.txt": null,
    });
    expect(json.values).toMatchObject({
      license: "MIT",
      description: expect.stringMatching(/^README with many words/),
    });
    expect(text).not.toContain(secret);
  });

  test("a file that the caller must not read is reported with the next step", async () => {
    const access = bucketOf("denied", { "codemeta.json": "{}", README: "Four words are here.\n" });
    s3.addFault({
      match: { bucket: "denied", operation: "get", key: "codemeta.json" },
      fault: { status: 403, code: "AccessDenied" },
    });
    const { json } = await suggest(access);
    expect(json.files[0].problem).toMatchObject({ code: "object_denied", action: expect.stringMatching(/\.$/) });
    expect(json.files[1].problem).toBeNull();
  });

  test("a body that does not arrive is reported; the others are read", { tags: "extended" }, async () => {
    const access = bucketOf("slow", {
      "datacite.json": JSON.stringify({ titles: [{ title: "x".repeat(5_000) }] }),
      README: "Four words are here.\n",
    });
    s3.addFault({
      match: { bucket: "slow", operation: "get", key: "datacite.json" },
      fault: { stallAfter: 1_000 },
    });
    const { json } = await suggest(access);
    expect(json.files[0].problem).toMatchObject({ code: "source_timeout", fault: "source" });
    expect(json.sources).toEqual({ description: "README" });
  });

  test("of thousands of metadata files, the first ten are read", async () => {
    const many = Array.from({ length: 1_500 }, (_, number) => [`i_${10_000 + number}.txt`, "INVESTIGATION\n"]);
    const access = bucketOf("many", { ...Object.fromEntries(many), "zz.csv": "1", "README.md": "# A title\n" });
    s3.clearHistory();
    const { json } = await suggest(access);
    expect(json.files.map(({ key }: { key: string }) => key)).toEqual(
      Array.from({ length: 10 }, (_, number) => `i_${10_000 + number}.txt`),
    );
    expect(readsOf("many")).toHaveLength(10);
    expect(await preview(access)).toHaveLength(10);
  });

  test("keys with unusual names are read as they are", async () => {
    const names = ["i_\u0007<b>&.txt", "i_Blätter von Ä.txt", "i_a b+c%20.txt", "i_..txt"];
    const files = names.map((name, number) => [name, `INVESTIGATION\nInvestigation Title\tTitle ${number}\n`]);
    const { json } = await suggest(bucketOf("odd", Object.fromEntries(files)));
    expect(json.files.map(({ key }: { key: string }) => key).toSorted()).toEqual(names.toSorted());
    expect(new Set(Object.values(problemsIn(json)))).toEqual(new Set([null]));
  });
});

test("a bucket without metadata files suggests nothing", async () => {
  const { status, json } = await suggest(bucketOf("plain", { "data/README.md": "# Not at the top\n", "a.csv": "1" }));
  expect([status, json]).toEqual([200, { values: {}, sources: {}, files: [] }]);
});

test("a bucket that cannot be read is a problem, as in the preview", async () => {
  const access = { endpoint: s3.endpoint, bucket: "nowhere", ...keys };
  const { status, json } = await suggest(access);
  expect([status, json.code]).toEqual([422, "bucket_missing"]);
  expect((await suggest({ ...access, bucket: undefined })).json.errors).toMatchObject([{ pointer: "/bucket" }]);
});

describe("a file that the caller sends", () => {
  test.each(Object.entries(samples))("is read: %s", async (name, content) => {
    const { status, json } = await send(name, content);
    expect(status).toBe(200);
    expect(json.files).toMatchObject([{ key: name, bytes: Buffer.byteLength(content), problem: null }]);
    expect(Object.keys(json.values).length).toBeGreaterThan(0);
    expect(new Set(Object.values(json.sources))).toEqual(new Set([name]));
  });

  test("may have another encoding with a byte order mark", async () => {
    const content = Buffer.from('\ufeff{"Name": "Gerstenwürfe"}', "utf16le");
    expect((await send("dataset_description.json", content)).json.values).toEqual({ title: "Gerstenwürfe" });
  });

  test("is refused if its name is not that of a metadata file", async () => {
    for (const name of ["data.csv", "raw/CITATION.cff", ".."]) {
      const { status, json } = await sendAll({ README: "Four words are here.", [name]: "title: x" });
      expect([status, json.code]).toEqual([422, "invalid_request"]);
      expect(json.errors).toMatchObject([{ pointer: "/files/1/name", code: "metadata_file_unknown" }]);
      expect(json.errors[0].detail).toContain("CITATION.cff");
    }
  });

  test("does not prevent the others if it is damaged, and the message does not quote it", async () => {
    const damaged = '{"title": "secret-in-a-file",}';
    const { status, json, text } = await sendAll({ README: "Four words are here.", "datacite.json": damaged });
    expect(status).toBe(200);
    expect(problemsIn(json)).toEqual({ "datacite.json": "metadata_file_invalid", README: null });
    expect(json.files[0].problem.detail).toMatch(/line 1, column 30/);
    expect(json.sources).toEqual({ description: "README" });
    expect(text).not.toContain("secret-in");
  });

  test("is refused if it is too large or not Base64", async () => {
    expect(problemsIn((await send("README", Buffer.alloc(2 * MIB, "a"))).json)).toEqual({ README: null });
    const large = await send("README", Buffer.alloc(2 * MIB + 1, "a"));
    expect(problemsIn(large.json)).toEqual({ README: "metadata_file_invalid" });
    const file = { name: "README", content: "not base64!" };
    const { json } = await service.api.post("/metadata/import", { files: [file] });
    expect(json.errors).toMatchObject([{ pointer: "/files/0/content", code: "wrong_value" }]);
    const huge = await send("README", Buffer.alloc(7 * MIB, "a"));
    expect([huge.status, huge.json.code]).toEqual([413, "body_too_large"]);
  });

  test("is one of at most ten", async () => {
    const files = Object.fromEntries(Array.from({ length: 11 }, (_, number) => [`i_${number}.txt`, "INVESTIGATION\n"]));
    expect((await sendAll(files)).json.errors).toMatchObject([{ pointer: "/files" }]);
    expect((await sendAll({})).json.errors).toMatchObject([{ pointer: "/files" }]);
  });
});

test("reading a bucket counts as a connection to its host; reading a file needs a token only", {
  tags: "extended",
}, async () => {
  await using own = await startTestService({ ...TOKENS, ACCESSION_RATE_LIMIT_CHECKS: "2" });
  const tokens = await Tokens.open(own);
  const ada = bearer((await tokens.create("ada", "submitter")).token);
  const curator = bearer((await tokens.create("cora", "curator")).token);
  const access = bucketOf("limited", { README: "Four words are here.\n" });
  const post = (path: string, body: object, headers: Record<string, string> = ada) => own.api.post(path, body, headers);
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await post("/submission/upload/s3metadata", access)).status);
  expect(statuses).toEqual([200, 200, 429]);
  const file = { files: [{ name: "README", content: Buffer.from("# A title").toString("base64") }] };
  expect((await post("/metadata/import", file)).status).toBe(200);
  expect((await post("/metadata/import", file, curator)).status).toBe(200);
  expect((await post("/metadata/import", file, {})).status).toBe(401);
  expect((await post("/submission/upload/s3metadata", access, curator)).status).toBe(403);
});
