import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChosenFile, EdalClient, edalMetadata } from "../support/api/edal-client.ts";
import { named, some, statuses } from "../support/api/edal-files.ts";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let service: TestService;
const edal = new EdalClient(() => service.api);
const tus = new TusClient(() => service.api);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const uploads = async () => (await service.api.get("/uploads")).json as { id: string; fileCount: number }[];
const filesOf = async (id: string) =>
  (await service.api.get(`/uploads/${id}/files`)).json.files as { path: string; bytes: number; url: string }[];
const storedIn = (id: string) => readdir(join(service.data, "uploads", id));

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

  test("keeps %22 in a name from Windows, where it cannot stand for a quotation mark", async () => {
    const file = { webkitRelativePath: "chosen/a%22b.csv", bytes: Buffer.from("a") };
    const windows = new EdalClient(() => service.api, "Mozilla/5.0 (Windows NT 10.0; Win64; x64)");
    const metadata = named("Quotation marks");
    const answers = [...(await windows.sendAll([file], metadata)), ...(await edal.sendAll([file], metadata))];
    expect(answers.map(({ json }) => json.path)).toEqual(["a%22b.csv", 'a"b.csv']);
    await tus.request("DELETE", `/uploads/${answers[0]?.json.upload}`);
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
});
