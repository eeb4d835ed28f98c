import { randomBytes } from "node:crypto";
import { readdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { digestOf, sha512, TusClient } from "../support/api/tus-client.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe("uploads", () => {
  let service: TestService;
  let tokens: Record<"ada" | "bob", string>;
  const tus = new TusClient(() => service.api);

  beforeAll(async () => {
    service = await startTestService({
      ...TOKENS,
      ACCESSION_QUOTA_BYTES: "50000000",
      ACCESSION_CORS_ORIGINS: "https://page.example.org",
    });
    const all = await Tokens.open(service);
    tokens = {
      ada: (await all.create("ada", "submitter")).token,
      bob: (await all.create("bob", "submitter")).token,
    };
    service.api.headers = { authorization: `Bearer ${tokens.ada}` };
  });
  afterAll(() => service.stop());

  test("an ordinary client sends files, and the submission reads and verifies them", async () => {
    const { id, files } = await tus.upload();
    const large = randomBytes(3_500_000);
    await tus.send(files, "plots/2025.csv", Buffer.from("plot;depth\n1;20\n"), { withCreation: true });
    // In four requests, each of which writes a segment.
    await tus.send(files, "images/large.bin", large);
    await tus.send(files, "empty", Buffer.alloc(0));
    await tus.send(files, "undigested", Buffer.from("abc"), { sha512: null });
    const { json: upload } = await service.api.get(`/uploads/${id}`);
    expect(upload).toMatchObject({ fileCount: 4, incompleteFiles: 0, bytes: 3_500_019, receivedBytes: 3_500_019 });
    const { status, json } = await tus.submit(id);
    expect([status, json]).toMatchObject([202, { source: { endpoint: "upload", bucket: id } }]);
    const done = await service.api.until(json.id, ["completed"]);
    const receipt = await service.api.receipt(done.id);
    expect(receipt).toMatchObject({ counts: { listed: 4, stored: 4 }, verified: { checksum: 3, length: 1 } });
    expect(receipt.statement).toContain("read from an upload to this service");
    expect(receipt.statement).toContain("Files that were not sent are not covered");
    const found = (await service.api.files(done.id)).map((file) => [file.key, file.sha512, file.verifiedWith]);
    expect(found).toEqual([
      ["empty", sha512(Buffer.alloc(0)), "sha512"],
      ["images/large.bin", sha512(large), "sha512"],
      ["plots/2025.csv", sha512(Buffer.from("plot;depth\n1;20\n")), "sha512"],
      ["undigested", sha512(Buffer.from("abc")), "length"],
    ]);
    const messages = (await service.api.events(done.id)).map(({ message }) => message);
    expect(messages.filter((message) => message.includes("bucket"))).toEqual([]);
    expect((await tus.submit(id)).json).toMatchObject({ code: "upload_submitted" });
    expect(await tus.create(files, "late", 1)).toMatchObject({ status: 409, code: "upload_submitted" });
    expect(await tus.request("DELETE", `${files}/1`)).toMatchObject({ status: 409, code: "upload_submitted" });
  });

  test("the same file is continued on another day, and another file with its path is refused", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(100_000);
    const { at } = await tus.file(files, "a", bytes);
    await tus.patch(at, 0, bytes.subarray(0, 60_000));
    // A client that has forgotten the address.
    expect((await tus.file(files, "a", bytes)).at).toBe(at);
    expect(await tus.create(files, "a", 99_999)).toMatchObject({ status: 409, code: "upload_path_taken" });
    expect(await tus.create(files, "a", 100_000)).toMatchObject({ status: 409, code: "upload_path_taken" });
    expect(await tus.send(files, "a", bytes, { withCreation: true })).toBe(service.url + at);
    expect(await tus.send(files, "a", bytes, { withCreation: true })).toBe(service.url + at);
    expect((await service.api.get(`/uploads/${id}`)).json).toMatchObject({ fileCount: 1, receivedBytes: 100_000 });
  });

  test("what does not match its digest does not count", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(300_000);
    await expect(tus.send(files, "a", bytes, { sha512: "0".repeat(128) })).rejects.toThrow("upload_digest_wrong");
    const { json: list } = await service.api.get(`/uploads/${id}/files`);
    expect(list.files).toMatchObject([{ path: "a", receivedBytes: 0, completedAt: null, digestMismatch: true }]);
    expect((await service.api.get(`/uploads/${id}`)).json).toMatchObject({ receivedBytes: 0, incompleteFiles: 1 });
    // A client that has not learned it yet is told, and does not send the wrong file again and again.
    expect(await tus.patch(`${files}/1`, 299_999, bytes.subarray(299_999))).toMatchObject({
      status: 460,
      code: "upload_digest_wrong",
    });
    const { headers } = await tus.create(files, "b", bytes.length);
    const file = headers.get("location") ?? "";
    const half = bytes.subarray(0, 150_000);
    const damaged = { "upload-checksum": `sha1 ${digestOf("sha1", bytes).digest("base64")}` };
    expect(await tus.patch(file, 0, half, damaged)).toMatchObject({ status: 460, code: "upload_checksum_wrong" });
    expect(await tus.offset(file)).toBe(0);
    const intact = { "upload-checksum": `sha1 ${digestOf("sha1", half).digest("base64")}` };
    expect(await tus.patch(file, 0, half, intact)).toMatchObject({ status: 204 });
    expect(await tus.patch(file, 150_000, bytes)).toMatchObject({ status: 413, code: "upload_too_long" });
    expect(await tus.offset(file)).toBe(150_000);
    expect((await tus.submit(id)).json).toMatchObject({ code: "upload_incomplete" });
    await tus.request("DELETE", `${files}/1`);
    await tus.request("DELETE", file);
    expect(await tus.request("HEAD", file)).toMatchObject({ status: 404 });
    expect((await tus.submit(id)).json).toMatchObject({ code: "upload_empty" });
    expect((await service.api.get(`/uploads/${id}`)).json).toMatchObject({ fileCount: 0, bytes: 0, receivedBytes: 0 });
    const emptyOne = await tus.create(files, "c", 0, { sha512: "0".repeat(128) });
    expect(emptyOne).toMatchObject({ status: 460, code: "upload_digest_wrong" });
  });

  test("a file that is sent again without a digest may be another one, and is refused", async () => {
    const { id, files } = await tus.upload();
    const at = await tus.send(files, "a", Buffer.from("abc"), { sha512: null });
    const half = await tus.create(files, "half", 4);
    await tus.patch(half.headers.get("location") ?? "", 0, Buffer.from("ab"));
    for (const [path, bytes] of [
      ["a", "xyz"],
      ["half", "wxyz"],
    ] as const) {
      const body = Buffer.from(bytes);
      const taken = { status: 409, code: "upload_path_taken" };
      expect(await tus.createWith(files, body.length, { path }, body)).toMatchObject(taken);
      expect(await tus.create(files, path, body.length, { sha512: sha512(body) })).toMatchObject(taken);
    }
    // Clients that know that it is the same one continue it.
    const { file = "" } = await tus.create(files, "half", 4);
    expect(await tus.patch(file, 2, Buffer.from("cd"))).toMatchObject({ status: 204, offset: 4 });
    const { json } = await service.api.get(`/uploads/${id}/files`);
    expect(json.files).toMatchObject([
      { path: "a", receivedBytes: 3, url: new URL(at).pathname },
      { path: "half", receivedBytes: 4, url: file },
    ]);
  });

  test("a client that sends a file again gets the number of bytes that have arrived until now", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(100_000);
    const { at } = await tus.file(files, "a", bytes);
    const cut = new AbortController();
    const sent = Promise.withResolvers<ReadableStreamDefaultController>();
    const body = new ReadableStream({ start: (stream) => sent.resolve(stream) });
    const sending = tus.request("PATCH", at, { "upload-offset": "0" }, body, cut.signal).catch(() => undefined);
    const area = join(service.data, "uploads", id);
    // Written, and not recorded.
    const written = async () => {
      const [name] = await readdir(area);
      return name === undefined ? 0 : (await stat(join(area, name))).size;
    };
    const send = async (from: number, to: number) => {
      (await sent.promise).enqueue(bytes.subarray(from, to));
      await expect.poll(written).toBe(to);
    };
    await send(0, 60_000);
    const again = await tus.createWith(files, bytes.length, { path: "a", sha512: sha512(bytes) }, bytes);
    expect(again).toMatchObject({ status: 201, offset: 60_000 });
    await send(60_000, 70_000);
    expect((await service.api.get(files)).json.files).toMatchObject([{ receivedBytes: 70_000 }]);
    await send(70_000, 80_000);
    expect((await service.api.get(`/uploads/${id}`)).json).toMatchObject({ receivedBytes: 80_000 });
    cut.abort();
    await sending;
    expect(await tus.patch(at, 80_000, bytes.subarray(80_000))).toMatchObject({ status: 204, offset: 100_000 });
  });

  test("the first stated name becomes the path", async () => {
    const { id, files } = await tus.upload();
    const name = "a.csv";
    for (const refused of [{ path: "", filename: name }, { filename: "", name }, { relativePath: "" }]) {
      expect(await tus.createWith(files, 1, refused as Record<string, string>)).toMatchObject({ status: 400 });
    }
    await tus.createWith(files, 1, { path: "by/path", relativePath: "x", filename: "x", name: "x" });
    await tus.createWith(files, 1, { relativePath: "by/relativePath", filename: "x", name: "x" });
    // Some clients send these for a file that was chosen without a folder.
    await tus.createWith(files, 1, { relativePath: "null", filename: "by filename", name: "x" });
    await tus.createWith(files, 1, { relativePath: "", name: "by name" });
    await tus.createWith(files, 1, { relativePath: "null" });
    const { json } = await service.api.get(`/uploads/${id}/files`);
    const paths = json.files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(["by filename", "by name", "by/path", "by/relativePath", "null"]);
  });

  test.each(["../a", "/a", "a//b", "a/./b", "a\u0000b", "a\nb", "", `${"x".repeat(1_025)}`])(
    "the path %j is refused",
    async (path) => {
      const { files } = await tus.upload();
      expect(await tus.create(files, path, 1)).toMatchObject({ status: 400, code: "bad_request" });
    },
  );

  test("wrong requests get the answer of the protocol", async () => {
    const { id, files } = await tus.upload();
    const path = { "upload-metadata": `path ${Buffer.from("a").toString("base64")}` };
    expect(await tus.request("POST", files, { "tus-resumable": "0.2.2" })).toMatchObject({ status: 412 });
    expect(await tus.request("POST", files, path)).toMatchObject({ status: 400 });
    for (const length of ["9007199254740993", "-1", "1.5", "1e3", "0x10", ""]) {
      expect(await tus.create(files, "a", length)).toMatchObject({ status: 400, code: "bad_request" });
    }
    for (const metadata of ["path !", "path /w==", "path YQ==,path Yg==", "path YQ== x"]) {
      const headers = { "upload-length": "1", "upload-metadata": metadata };
      expect([metadata, (await tus.request("POST", files, headers)).status]).toEqual([metadata, 400]);
    }
    expect(await tus.create(files, "a", 3, { filetype: "text/plain" })).toMatchObject({ status: 201 });
    const text = { "upload-offset": "0", "content-type": "text/plain" };
    expect(await tus.request("PATCH", `${files}/1`, text, Buffer.from("abc"))).toMatchObject({ status: 415 });
    expect(await tus.request("PATCH", `${files}/1`, {}, Buffer.from("abc"))).toMatchObject({ status: 400 });
    const huge = { "upload-offset": "99999999999999999999" };
    expect(await tus.request("PATCH", `${files}/1`, huge, Buffer.from("abc"))).toMatchObject({ status: 400 });
    expect(await tus.request("HEAD", `${files}/9`)).toMatchObject({ status: 404 });
    expect(await tus.patch("/uploads/none/files/1", 0, Buffer.from("abc"))).toMatchObject({ status: 404 });
    expect(await tus.create(files, "huge", 60_000_000)).toMatchObject({ code: "quota_exceeded" });
    const { headers } = await tus.request("HEAD", `${files}/1`);
    expect(headers.get("upload-metadata")).toBe("path YQ==,filetype dGV4dC9wbGFpbg==");
    // Of long metadata, the service keeps only those that it uses.
    const long = await tus.create(files, "long", 3, { sha512: sha512(Buffer.from("abc")), notes: "x".repeat(1_600) });
    const longOne = await tus.request("HEAD", long.headers.get("location") ?? "");
    const digest = Buffer.from(sha512(Buffer.from("abc"))).toString("base64");
    expect(longOne.headers.get("upload-metadata")).toBe(`path bG9uZw==,sha512 ${digest}`);
    expect(Date.parse(headers.get("upload-expires") ?? "")).toBeGreaterThan(Date.now());
    const options = await tus.request("OPTIONS", files);
    expect(options.headers.get("tus-version")).toBe("1.0.0");
    expect(options.headers.get("tus-extension")).toContain("checksum");
    // Without PATCH and DELETE.
    const override = (method: string) => ({ "x-http-method-override": method });
    expect(await tus.request("POST", `${files}/1`)).toMatchObject({ status: 405 });
    const sent = { ...override("PATCH"), "upload-offset": "0" };
    expect(await tus.request("POST", `${files}/1`, sent, Buffer.from("abc"))).toMatchObject({ status: 204, offset: 3 });
    expect(await tus.request("POST", `${files}/1`, override("HEAD"))).toMatchObject({ status: 200, offset: 3 });
    expect(await tus.request("POST", `${files}/1`, override("DELETE"))).toMatchObject({ status: 204 });
    // Nothing that is about a bucket.
    for (const more of [
      { selection: { prefix: "a" } },
      { s3Access: { endpoint: "https://s3.example.org", bucket: "b" } },
    ]) {
      const refused = await tus.submit(id, more);
      expect(refused.json).toMatchObject({
        code: "invalid_request",
        errors: [{ pointer: `/${Object.keys(more)[0]}` }],
      });
    }
    expect((await tus.submit("none")).json).toMatchObject({ code: "not_found" });
  });

  test("pages of other sites send files, if the operator allows it", async () => {
    const { files } = await tus.upload();
    const origin = { origin: "https://page.example.org" };
    const asked = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "tus-resumable,upload-length,upload-metadata,upload-offset",
    };
    const preflight = await tus.request("OPTIONS", files, { ...origin, ...asked });
    const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase() ?? "";
    for (const name of ["tus-resumable", "upload-length", "upload-metadata", "upload-offset", "upload-checksum"])
      expect(allowed).toContain(name);
    const { headers } = await tus.request("OPTIONS", files, origin);
    const exposed = headers.get("access-control-expose-headers")?.toLowerCase() ?? "";
    for (const name of ["location", "upload-offset", "upload-length", "tus-resumable", "upload-expires"])
      expect(exposed).toContain(name);
  });

  test("an upload exists for its owner only, and not after it was deleted", async () => {
    const { id, files } = await tus.upload();
    await tus.create(files, "a", 3);
    const routes = [
      ["GET", `/uploads/${id}`],
      ["DELETE", `/uploads/${id}`],
      ["GET", files],
      ["POST", files],
      ["HEAD", `${files}/1`],
      ["PATCH", `${files}/1`],
      ["DELETE", `${files}/1`],
    ] as const;
    const refused = async (own: Record<string, string>) => {
      for (const [method, path] of routes) {
        const headers = { ...own, "upload-length": "1", "upload-offset": "0" };
        expect([method, path, (await tus.request(method, path, headers)).status]).toEqual([method, path, 404]);
      }
    };
    const bob = { authorization: `Bearer ${tokens.bob}` };
    await refused(bob);
    const body = { metadata: goodMetadata, upload: { id } };
    expect((await service.api.post("/submission/upload/s3upload", body, bob)).status).toBe(404);
    expect((await service.api.send(`/uploads/${id}`, { method: "DELETE" })).status).toBe(204);
    await refused({});
    expect((await tus.submit(id)).status).toBe(404);
  });

  test("a cancelled submission returns its upload", async () => {
    const { id, files } = await tus.upload();
    await tus.send(files, "a", Buffer.from("abc"));
    // The submission waits for the file, so that it can be cancelled.
    const area = join(service.data, "uploads", id);
    const [segment = ""] = await readdir(area);
    await rename(join(area, segment), join(area, `${segment}-elsewhere`));
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["waiting"]);
    expect((await service.api.post(`/submission/${json.id}/cancel`, undefined)).status).toBe(202);
    expect((await service.api.get(`/uploads/${id}`)).json).toMatchObject({ submission: null, fileCount: 1 });
    await rename(join(area, `${segment}-elsewhere`), join(area, segment));
    const again = await tus.submit(id);
    await service.api.until(again.json.id, ["completed"]);
  });
});
