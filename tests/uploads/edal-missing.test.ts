import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EdalClient } from "../support/api/edal-client.ts";
import { beginFile, incoming, named, some, statuses } from "../support/api/edal-files.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let service: TestService;
const edal = new EdalClient(() => service.api);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const uploads = async () => (await service.api.get("/uploads")).json as { id: string; fileCount: number }[];
const storedIn = (id: string) => readdir(join(service.data, "uploads", id));

describe("files of the local mode that have not arrived", () => {
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
