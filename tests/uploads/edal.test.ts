import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Api } from "../support/api/api.ts";
import { type ChosenFile, EdalClient, edalMetadata } from "../support/api/edal-client.ts";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { entriesBelow } from "../support/entries-below.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { failCalls } from "../support/program/strace.ts";
import { lacks, skipNote } from "../support/tools.ts";

let service: TestService;
const edal = new EdalClient(() => service.api);
const tus = new TusClient(() => service.api);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const named = (title: string) => ({ ...edalMetadata, title });
const uploads = async () => (await service.api.get("/uploads")).json as { id: string; fileCount: number }[];
const filesOf = async (id: string) =>
  (await service.api.get(`/uploads/${id}/files`)).json.files as { path: string; bytes: number; url: string }[];
const storedIn = (id: string) => readdir(join(service.data, "uploads", id));
const statuses = (answers: { status: number }[]) => new Set(answers.map(({ status }) => status));
const some = (count: number): ChosenFile[] =>
  Array.from({ length: count }, (_, n) => ({
    webkitRelativePath: n % 2 === 0 ? `chosen/${n}.csv` : `chosen/plots/${n}.csv`,
    bytes: randomBytes(n * 100),
  }));

/** Begins to send a file in a body without a length, and waits until its first bytes are stored. */
async function beginFile({ url, api, data }: { url: string; api: Api; data: string }, name: string) {
  const before = await incoming(data);
  const cutting = new AbortController();
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  // The last bytes may be those of a request that was refused or cut.
  const write = (text: string | Buffer) => void writer.write(Buffer.from(text)).catch(() => undefined);
  write(`--x\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`);
  write(randomBytes(300_000));
  const answering = fetch(`${url}/submission/upload/dataset`, {
    ...{ method: "POST", headers: { ...api.headers, "content-type": "multipart/form-data; boundary=x" } },
    ...{ body: readable, duplex: "half", signal: cutting.signal },
  } as RequestInit).then(async (answer) => ({ status: answer.status, json: await answer.json() }));
  answering.catch(() => undefined);
  const end = (rest: string) => {
    write(rest);
    void writer.close().catch(() => undefined);
    return answering as Promise<{ status: number; json: { code?: string } }>;
  };
  await vi.waitUntil(async () => (await incoming(data)).some((name) => !before.includes(name)));
  return {
    answering,
    end,
    finish: (metadata: typeof edalMetadata) => {
      const form = edal.form({ webkitRelativePath: "chosen/file", bytes: Buffer.alloc(0) }, metadata);
      const parts = { metaData: form.get("metaData"), path: metadata.title };
      const rest = Object.entries(parts).map(
        ([part, value]) => `\r\n--x\r\nContent-Disposition: form-data; name="${part}"\r\n\r\n${value}`,
      );
      return end(`${rest.join("")}\r\n--x--`);
    },
    async cut() {
      cutting.abort();
      await expect(answering).rejects.toThrow();
    },
  };
}

/** Files that are arriving. */
async function incoming(data: string): Promise<string[]> {
  const entries = await entriesBelow(join(data, "uploads"));
  return entries.map(({ name }) => name).filter((name) => name.startsWith("incoming-"));
}

describe("the local mode of e!DAL's web client", () => {
  test("submits all files of a folder with their metadata, once", async () => {
    const { title } = edalMetadata;
    const files = [
      ...some(30),
      { webkitRelativePath: "chosen/large.bin", bytes: randomBytes(9 << 20) },
      { webkitRelativePath: 'chosen/Größen 100%/a"b\\c;d.csv', bytes: Buffer.from("a") },
    ];
    const before = await uploads();
    const answers = await edal.sendAll(files);
    expect(statuses(answers)).toEqual(new Set([200]));
    const [first] = answers;
    const id = first?.json.upload as string;
    expect(answers.map(({ json }) => json)).toEqual(
      files.map(({ webkitRelativePath, bytes }) => ({
        upload: id,
        path: webkitRelativePath.slice("chosen/".length),
        bytes: bytes.length,
        sha512: sha512(bytes),
      })),
    );
    expect((await uploads()).length).toBe(before.length + 1);
    const { status, headers, json } = await edal.publish(title);
    expect([status, headers.get("location")]).toEqual([202, `/submission/${json.id}`]);
    expect(json.warnings).toContainEqual({
      pointer: "/metadata/authors/0/affiliation",
      code: "affiliation_recovered",
      detail: expect.stringContaining("“IPK Gatersleben”"),
    });
    const again = await edal.publish(title);
    expect([again.status, again.json.id, again.headers.get("idempotent-replayed")]).toEqual([202, json.id, "true"]);
    expect((await service.api.get(`/submission/info/exists?title=${encodeURIComponent(title)}`)).status).toBe(200);
    await service.api.until(json.id, ["completed"]);
    const archived = (await service.api.files(json.id)).map(({ key, sha512: digest }) => [key, digest]).toSorted();
    expect(archived).toEqual(
      files.map(({ webkitRelativePath: path, bytes }) => [path.slice("chosen/".length), sha512(bytes)]).toSorted(),
    );
  });

  test("has one upload for each title, also with many requests at once", async () => {
    const before = (await uploads()).length;
    const titles = ["A title/with a slash", "Another title"];
    const forms = titles.flatMap((title) => some(20).map((file) => edal.form(file, named(title))));
    const answers = await Promise.all(forms.map((form) => edal.send(form)));
    expect(statuses(answers)).toEqual(new Set([200]));
    expect((await uploads()).length).toBe(before + 2);
    for (const [n, title] of titles.entries()) {
      const ids = new Set(answers.slice(n * 20, n * 20 + 20).map(({ json }) => json.upload));
      expect(ids.size).toBe(1);
      const [id = ""] = ids;
      expect((await filesOf(id)).map(({ path }) => path)).toEqual(
        some(20)
          .map(({ webkitRelativePath }) => webkitRelativePath.slice("chosen/".length))
          .toSorted(),
      );
      const { status, json } = await edal.publish(title);
      expect(status).toBe(202);
      await service.api.until(json.id, ["completed"]);
    }
  });

  test("begins a new dataset for files that are sent after the submission", async () => {
    const metadata = named("Sent twice");
    const [first] = await edal.sendAll(some(2), metadata);
    const one = await edal.publish(metadata.title);
    const [second] = await edal.sendAll(some(3), metadata);
    expect(second?.json.upload).not.toBe(first?.json.upload);
    const two = await edal.publish(metadata.title);
    expect([two.status, two.json.id === one.json.id]).toEqual([202, false]);
    for (const { json } of [one, two]) await service.api.until(json.id, ["completed"]);
    expect((await service.api.files(two.json.id)).length).toBe(3);
  });

  test("replaces a file that is sent again with other content", async () => {
    const metadata = named("Changed on the way");
    const [one, two] = some(2) as [ChosenFile, ChosenFile];
    const changed = { ...two, bytes: Buffer.from("changed") };
    const answers = await edal.sendAll([one, two], metadata);
    await edal.sendAll([one, changed, changed], metadata);
    const id = answers[0]?.json.upload;
    expect(await filesOf(id)).toMatchObject([{ path: "0.csv" }, { path: "plots/1.csv", bytes: 7 }]);
    // The empty file has none.
    expect(await storedIn(id)).toHaveLength(1);
    await tus.request("DELETE", `/uploads/${id}`);
  });

  test("is not submitted without files that were refused, until they were reported", async () => {
    const metadata = named("With a wrong name");
    const wrong = { webkitRelativePath: "chosen/a\u0001b.csv", bytes: Buffer.from("a") };
    const answers = await edal.sendAll([...some(2), wrong], metadata);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    const refused = await edal.publish(metadata.title);
    expect([refused.status, refused.json.code]).toEqual([409, "upload_incomplete"]);
    expect(refused.json.detail).toBe(
      `1 file did not arrive completely: “${metadata.title}/a\ufffdb.csv” (bad_request). Send the files of the dataset again, then submit it`,
    );
    const { status, json } = await edal.publish(metadata.title);
    expect(status).toBe(202);
    await service.api.until(json.id, ["completed"]);
  });

  test("is not submitted while its files have different metadata", async () => {
    const metadata = named("Described twice");
    const [one, two] = some(2) as [ChosenFile, ChosenFile];
    await edal.sendAll([one, two], metadata);
    const better = { ...metadata, description: `${metadata.description} Corrected.` };
    await edal.sendAll([one], better);
    const { status, json } = await edal.publish(metadata.title);
    expect([status, json.code, json.detail]).toEqual([
      409,
      "upload_metadata_differ",
      "Sent with other metadata: “plots/1.csv”",
    ]);
    await edal.sendAll([one, two], better);
    const accepted = await edal.publish(metadata.title);
    expect(accepted.status).toBe(202);
    const { dataset } = await service.api.until(accepted.json.id, ["completed"]);
    const described = await service.api.get(`/dataset/${dataset?.id}/metadata`);
    expect(described.text).toContain("Corrected.");
  });

  test("reports wrong metadata when it is submitted, and keeps the files", async () => {
    const metadata = { ...named("Without authors"), authors: [] };
    await edal.sendAll(some(3), metadata);
    const { status, json } = await edal.publish(metadata.title);
    expect([status, json.code]).toEqual([422, "invalid_request"]);
    expect(json.errors).toContainEqual(expect.objectContaining({ pointer: "/metadata/authors" }));
    await edal.sendAll(some(3), named(metadata.title));
    const accepted = await edal.publish(metadata.title);
    expect(accepted.status).toBe(202);
    await service.api.until(accepted.json.id, ["completed"]);
  });

  test("has nothing to submit without files", async () => {
    const { status, json } = await edal.publish("Never sent");
    expect([status, json.code]).toEqual([404, "not_found"]);
  });

  test("refuses forms that are none of this client, and stores nothing of them", async () => {
    const [file = expect.fail()] = some(1);
    const metadata = named("Wrong forms");
    const form = (change: (form: FormData) => void) => {
      const made = edal.form({ ...file, bytes: randomBytes(1_000) }, metadata);
      change(made);
      return made;
    };
    const wrong: [form: FormData, status: number, code: string][] = [
      [form((one) => one.delete("file")), 400, "malformed_multipart"],
      [form((one) => one.delete("metaData")), 400, "malformed_multipart"],
      [form((one) => one.delete("path")), 400, "malformed_multipart"],
      [form((one) => one.append("path", "again")), 400, "malformed_multipart"],
      [form((one) => one.append("file", new File(["b"], "b"))), 400, "malformed_multipart"],
      [form((one) => one.append("other", "b")), 400, "malformed_multipart"],
      [form((one) => one.set("metaData", "{")), 400, "malformed_json"],
      [form((one) => one.set("metaData", "[]")), 422, "invalid_request"],
      [form((one) => one.set("metaData", '{"title":" "}')), 422, "invalid_request"],
      [form((one) => one.set("metaData", '{"title":"a\\u0000"}')), 400, "bad_request"],
      [form((one) => one.set("metaData", JSON.stringify({ title: "x".repeat(2_001) }))), 422, "invalid_request"],
      [form((one) => one.set("path", "Another title/plots")), 400, "bad_request"],
      [form((one) => one.set("path", `${metadata.title}/../a`)), 400, "bad_request"],
      [form((one) => one.set("file", new File(["b"], ".."), "..")), 400, "bad_request"],
    ];
    for (const [n, [body, status, code]] of wrong.entries()) {
      const answer = await edal.send(body);
      expect([n, answer.status, answer.json.code]).toEqual([n, status, code]);
    }
    const none = await service.api.post("/submission/upload/dataset", { title: "a" });
    expect([none.status, none.json.code]).toEqual([415, "unsupported_media_type"]);
    for (const { id } of await uploads()) expect(await storedIn(id)).toEqual([]);
    const { json } = await edal.publish(metadata.title);
    expect([json.code, json.detail]).toEqual([
      "upload_incomplete",
      expect.stringMatching(/^14 files did not arrive completely: a file without a known name .* and others/),
    ]);
    expect((await edal.publish(metadata.title)).json.code).toBe("not_found");
  });

  test("leaves nothing of a file whose connection breaks, and is not submitted without it", async () => {
    const metadata = named("Interrupted");
    expect(statuses(await edal.sendAll(some(2), metadata))).toEqual(new Set([200]));
    const { cut } = await beginFile(service, "2.csv");
    const refusing = edal.publish(metadata.title);
    await cut();
    await expect.poll(() => incoming(service.data)).toEqual([]);
    const refused = await refusing;
    expect([refused.status, refused.json.code, refused.json.detail]).toEqual([
      409,
      "upload_incomplete",
      "1 file did not arrive completely: “2.csv” (interrupted). Send the files of the dataset again, then submit it",
    ]);
    expect(statuses(await edal.sendAll(some(3), metadata))).toEqual(new Set([200]));
    const { status, json } = await edal.publish(metadata.title);
    expect(status).toBe(202);
    await service.api.until(json.id, ["completed"]);
  });

  test("is submitted with the files that are arriving", async () => {
    const metadata = named("Submitted too early");
    const [file = expect.fail()] = some(1);
    expect((await edal.send(edal.form(file, metadata))).status).toBe(200);
    const { finish } = await beginFile(service, "late.csv");
    const publishing = edal.publish(metadata.title);
    const late = await publishing;
    expect([late.status, late.json.code]).toEqual([409, "upload_arriving"]);
    const waiting = edal.publish(metadata.title);
    expect((await finish(metadata)).status).toBe(200);
    const { status, json } = await waiting;
    expect(status).toBe(202);
    await service.api.until(json.id, ["completed"]);
    expect((await service.api.files(json.id)).map(({ key }) => key).toSorted()).toEqual(["0.csv", "late.csv"]);
  });

  test("is not submitted after the loss of a file, whatever else arrives or was submitted", async () => {
    const [first, second] = [named("The first of two"), named("The second of two")];
    const data = (folder: string) => ({ webkitRelativePath: `c/${folder}/data.csv`, bytes: Buffer.from(folder) });
    expect(statuses(await edal.sendAll([data("plot1")], first))).toEqual(new Set([200]));
    expect(statuses(await edal.sendAll([data("plot1")], second))).toEqual(new Set([200]));
    const { cut } = await beginFile(service, "data.csv");
    await cut();
    // Another file with this name, and another title.
    expect(statuses(await edal.sendAll([data("plot2")], first))).toEqual(new Set([200]));
    expect(statuses(await edal.sendAll([data("plot2")], second))).toEqual(new Set([200]));
    const refused = await edal.publish(first.title);
    expect([refused.json.code, refused.json.detail]).toEqual([
      "upload_incomplete",
      expect.stringContaining("“data.csv” (interrupted)"),
    ]);
    const accepted = await edal.publish(first.title);
    expect(accepted.status).toBe(202);
    // Files for a title that was submitted already.
    const again = await beginFile(service, "again.csv");
    await again.cut();
    expect((await edal.publish(first.title)).json.detail).toContain("“again.csv” (interrupted)");
    const other = await edal.publish(second.title);
    expect(other.status).toBe(202);
    for (const { json } of [accepted, other]) await service.api.until(json.id, ["completed"]);
  });

  test("is not submitted after a form that is malformed behind the file", async () => {
    const metadata = named("Malformed at the end");
    expect(statuses(await edal.sendAll(some(1), metadata))).toEqual(new Set([200]));
    const { finish } = await beginFile(service, "2.csv");
    expect((await finish({ ...metadata, title: "" })).status).toBe(422);
    const other = await beginFile(service, "3.csv");
    expect(
      (await other.end('\r\n--x\r\nContent-Disposition: form-data; name="other"\r\n\r\n\r\n--x--')).json.code,
    ).toBe("malformed_multipart");
    expect((await edal.publish(metadata.title)).json.detail).toContain(
      "2 files did not arrive completely: “/2.csv” (invalid_request), “3.csv” (malformed_multipart)",
    );
    const { status, json } = await edal.publish(metadata.title);
    expect(status).toBe(202);
    await service.api.until(json.id, ["completed"]);
  });

  test("does not read forms without end", async () => {
    const part = '--x\r\nContent-Disposition: form-data; name="metaData"';
    for (const before of ["", `${part}\r\nX: `, `${part}\r\n\r\n`]) {
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(Buffer.from(before)),
        pull: (stream) => stream.enqueue(Buffer.alloc(1 << 20, "x")),
      });
      const headers = { ...service.api.headers, "content-type": "multipart/form-data; boundary=x" };
      const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
      const answer = await fetch(`${service.url}/submission/upload/dataset`, init);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, "malformed_multipart"]);
    }
    expect((await edal.publish("Without end")).json.detail).toContain("3 files did not arrive completely");
  });
});

test("files beyond the quota are answered after the whole request, stored nowhere, and prevent the submission", async () => {
  const small = await startTestService({ ACCESSION_QUOTA_BYTES: "100000" });
  const client = new EdalClient(() => small.api);
  try {
    const metadata = named("Too large");
    const large = { webkitRelativePath: "c/large", bytes: randomBytes(5 << 20) };
    const little = { webkitRelativePath: "c/little", bytes: randomBytes(50_000) };
    const answers = await client.sendAll([little, large], metadata);
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [200, undefined],
      [403, "quota_exceeded"],
    ]);
    expect(await readdir(join(small.data, "uploads", answers[0]?.json.upload))).toHaveLength(1);
    const refused = await client.publish(metadata.title);
    expect([refused.status, refused.json.detail]).toMatchObject([
      409,
      expect.stringContaining("1 file did not arrive completely: “large” (quota_exceeded)"),
    ]);
    // Without a length, the rest is not read.
    const form = new Request("http://localhost", { method: "POST", body: client.form(large, metadata) });
    const [body, type] = [form.body, form.headers.get("content-type") ?? ""];
    const headers = { ...small.api.headers, "content-type": type };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const chunked = await fetch(`${small.url}/submission/upload/dataset`, init).catch(() => undefined);
    expect([403, undefined]).toContain(chunked?.status);
    expect((await client.publish(metadata.title)).json.detail).toContain("“large” (quota_exceeded)");
    // What replaces a file needs only the difference.
    const other = await client.sendAll([{ ...little, bytes: randomBytes(60_000) }], metadata);
    expect(statuses(other)).toEqual(new Set([200]));
    expect((await client.publish(metadata.title)).status).toBe(202);
  } finally {
    await small.stop();
  }
});

test("more requests than usual wait, because the client does not repeat what is refused", async () => {
  const limited = await startTestService({ ACCESSION_RATE_LIMIT: "50" });
  const client = new EdalClient(() => limited.api);
  try {
    const forms = Array.from({ length: 75 }, (_, n) => {
      const file = { webkitRelativePath: `c/${n}`, bytes: Buffer.from(`${n}`) };
      return client.form(file, edalMetadata);
    });
    expect(statuses(await Promise.all(forms.map((form) => client.send(form))))).toEqual(new Set([200]));
    const [upload] = (await limited.api.get("/uploads")).json;
    expect(upload.fileCount).toBe(75);
  } finally {
    await limited.stop();
  }
});

test("only a number of requests waits, and those that are refused prevent the submission", async () => {
  const metadata = named("Many at once");
  const slow = await Promise.all(Array.from({ length: 16 }, (_, n) => beginFile(service, `slow-${n}`)));
  const forms = Array.from({ length: 65 }, (_, n) => {
    return edal.form({ webkitRelativePath: `c/${n}`, bytes: Buffer.from(`${n}`) }, metadata);
  });
  const refused = Promise.withResolvers<unknown>();
  const sending = forms.map(async (form) => {
    const { status, json } = await edal.send(form);
    if (status !== 200) refused.resolve([status, json.code]);
    return status;
  });
  expect(await refused.promise).toEqual([429, "rate_limited"]);
  for (const one of slow) expect((await one.finish(metadata)).status).toBe(200);
  expect((await Promise.all(sending)).toSorted()).toEqual([...Array.from({ length: 64 }, () => 200), 429]);
  const { json } = await edal.publish(metadata.title);
  expect(json.detail).toContain("1 file did not arrive completely: a file without a known name (rate_limited)");
  const accepted = await edal.publish(metadata.title);
  expect(accepted.status).toBe(202);
  await service.api.until(accepted.json.id, ["completed"]);
});

describe("files of the local mode and the process that receives them", () => {
  let data: string;
  let program: Program;
  const client = new EdalClient(() => program.api);
  const start = (settings: Record<string, string> = {}) =>
    startProgram(data, { ACCESSION_UPLOADS: join(data, "uploads"), ...settings });

  beforeEach(async () => {
    data = await createDataFolder();
    program = await start();
  });
  afterEach(async () => {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  });

  test("kill -9 loses nothing that was acknowledged, and the rest is sent again", async () => {
    const files = Array.from({ length: 200 }, (_, n) => ({ webkitRelativePath: `c/${n}`, bytes: randomBytes(3_000) }));
    let acknowledged = 0;
    const sending = files.map(async (file) => {
      const { status } = await client.send(client.form(file, edalMetadata));
      if (status === 200) acknowledged += 1;
    });
    const sent = Promise.allSettled(sending);
    await vi.waitUntil(() => acknowledged > 20);
    await program.end("SIGKILL");
    await sent;
    program = await start();
    const [upload] = (await program.api.get("/uploads")).json;
    expect(upload.fileCount).toBeGreaterThanOrEqual(acknowledged);
    expect(statuses(await client.sendAll(files))).toEqual(new Set([200]));
    // Those that the process was receiving are reported once.
    let published = await client.publish(edalMetadata.title);
    for (; published.status === 409; published = await client.publish(edalMetadata.title)) {
      expect(published.json.code).toMatch(/^upload_(arriving|incomplete)$/);
    }
    const { json } = published;
    await program.api.until(json.id, ["completed"]);
    const archived = new Map((await program.api.files(json.id)).map(({ key, sha512: digest }) => [key, digest]));
    expect(archived).toEqual(new Map(files.map(({ bytes }, n) => [`${n}`, sha512(bytes)])));
  });

  test("kill -9 in the middle of a file prevents the submission, which names it", async () => {
    const [file = expect.fail()] = some(2).slice(1);
    expect((await client.send(client.form(file, edalMetadata))).status).toBe(200);
    const { answering } = await beginFile({ url: program.url, api: program.api, data }, "torn.csv");
    await program.end("SIGKILL");
    await expect(answering).rejects.toThrow();
    program = await start();
    let refused = await client.publish(edalMetadata.title);
    // Until it is certain that no process receives the file.
    while (refused.json.code === "upload_arriving") refused = await client.publish(edalMetadata.title);
    expect([refused.json.code, refused.json.detail]).toEqual([
      "upload_incomplete",
      expect.stringContaining("1 file did not arrive completely: “torn.csv” (interrupted)"),
    ]);
    const { status, json } = await client.publish(edalMetadata.title);
    expect(status).toBe(202);
    await program.api.until(json.id, ["completed"]);
  });

  test("files that wait when the process stops prevent the submission", async () => {
    const at = { url: program.url, api: program.api, data };
    const slow = await Promise.all(Array.from({ length: 16 }, (_, n) => beginFile(at, `slow-${n}`)));
    // One is refused when all others wait.
    const refused = Promise.withResolvers<unknown>();
    const sending = Array.from({ length: 65 }, async (_, n) => {
      const file = { webkitRelativePath: `c/${n}`, bytes: Buffer.from(`${n}`) };
      const { status } = await client.send(client.form(file, edalMetadata));
      refused.resolve(status);
    });
    const ended = Promise.allSettled([...sending, ...slow.map(({ answering }) => answering)]);
    expect(await refused.promise).toBe(429);
    await program.end("SIGTERM");
    await ended;
    program = await start();
    expect((await client.publish(edalMetadata.title)).json.detail).toContain("81 files did not arrive completely");
  });

  test("a full disk refuses files, which prevents the submission", async () => {
    const [file = expect.fail()] = some(2).slice(1);
    expect((await client.send(client.form(file, edalMetadata))).status).toBe(200);
    await program.end("SIGTERM");
    program = await start({ ACCESSION_DISK_RESERVE: "900TiB" });
    const other = { ...file, webkitRelativePath: "chosen/other.csv" };
    const refused = await client.send(client.form(other, edalMetadata));
    expect([refused.status, refused.json.code]).toEqual([507, "no_space"]);
    expect((await client.publish(edalMetadata.title)).json.code).toBe("upload_incomplete");
    expect((await client.send(client.form(other, edalMetadata))).json.code).toBe("no_space");
    await program.end("SIGTERM");
    program = await start();
    expect((await client.publish(edalMetadata.title)).json.code).toBe("upload_incomplete");
    expect(statuses(await client.sendAll([file, other]))).toEqual(new Set([200]));
    const { json } = await client.publish(edalMetadata.title);
    await program.api.until(json.id, ["completed"]);
    expect(await program.api.files(json.id)).toHaveLength(2);
  });

  test.skipIf(lacks("strace"))(`files that cannot be stored durably are refused ${skipNote("strace")}`, async () => {
    const [first = expect.fail(), second = expect.fail()] = some(3).slice(1);
    const { json } = await client.send(client.form(first, edalMetadata));
    const area = join(data, "uploads", json.upload);
    const fault = { calls: ["fsync", "fdatasync"], error: "EIO", when: "1+", path: area };
    const trace = await failCalls(program.process.pid ?? 0, fault);
    const refused = await client.send(client.form(second, edalMetadata));
    expect(trace.count()).toBeGreaterThan(0);
    await trace.detach();
    expect(refused.json.code).toBe("archive_unwritable");
    expect(await readdir(area)).toHaveLength(1);
    expect((await client.publish(edalMetadata.title)).json.code).toBe("upload_incomplete");
  });
});
