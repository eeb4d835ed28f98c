import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type Api, goodMetadata } from "../support/api/api.ts";
import { expectValid, submitAndArchive } from "../support/archive/archived-versions.ts";
import { findPackage } from "../support/archive/package.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const SCHEMA = "docs/examples/miappe.json";
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const fields = {
  miappe: {
    organisms: ["Hordeum vulgare"],
    growthFacility: "greenhouse",
    plants: 96,
    dayTemperature: 21.5,
    irrigated: false,
    observedVariables: ["Root length", "Root depth"],
    factors: [{ name: "Water", values: ["wet", "dry"] }],
    germplasm: { accession: "HOR 7428" },
  },
};
const metadata = { ...goodMetadata, fields };
let s3: S3Server;
let service: TestService;
let api: Api;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService({ ACCESSION_METADATA_SCHEMAS: SCHEMA });
  api = service.api;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function archive(bucket: string): Promise<string> {
  s3.createBucket(bucket);
  s3.put(bucket, "a.csv", "one");
  const access = { endpoint: s3.endpoint, bucket, ...keys };
  return (await submitAndArchive(api, access, { metadata })).dataset.id;
}

const change = (id: string, changed: object, ifMatch: string) =>
  api.send(`/dataset/${id}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: changed }),
    headers: { "content-type": "application/json", "if-match": ifMatch },
  });

const restart = async (schemas: string, meanwhile?: () => Promise<void>) => {
  await service.restart(meanwhile, { ACCESSION_METADATA_SCHEMAS: schemas });
  api = service.api;
};

test("the service lists the configured groups", async () => {
  expect((await api.get("/service")).json.fieldGroups).toEqual(["miappe"]);
  const [group] = (await api.get("/field-groups")).json;
  expect([group.name, group.title, group.fields.length]).toEqual(["miappe", "Plant phenotyping (MIAPPE)", 9]);
  expect(group).not.toHaveProperty("schema");
});

test("errors of a submission and of a validation name their place", async () => {
  const wrong = { ...metadata, fields: { miappe: { ...fields.miappe, plants: "many" } } };
  const validated = await api.post("/submission/validate", wrong);
  expect(validated.json.errors).toMatchObject([{ pointer: "/fields/miappe/plants", code: "wrong_type" }]);
  const s3Access = { endpoint: s3.endpoint, bucket: "none", ...keys };
  const { status, json } = await api.post("/submission/upload/s3upload", { metadata: wrong, s3Access });
  expect([status, json.errors[0].pointer]).toEqual([422, "/metadata/fields/miappe/plants"]);
});

test("the package has the values with the schema, and the exports state them", { tags: "extended" }, async () => {
  const id = await archive("with-fields");
  const { files } = await findPackage(service.archive, id, 1);
  const read = async (path: string) => readFile(files.get(path)?.file ?? "missing", "utf8");
  expect(JSON.parse(await read("metadata/fields-miappe.json"))).toEqual(fields.miappe);
  expect(await read("metadata/fields-miappe.schema.json")).toBe(await readFile(SCHEMA, "utf8"));
  expect(JSON.parse(await read("metadata/submission.json")).metadata).toMatchObject({ fields });
  expect(await read("metadata/submission.json")).not.toContain("json-schema.org");

  const listed = (await api.get(`/dataset/${id}/files?prefix=metadata/fields-`)).json;
  expect(listed.map(({ path }: { path: string }) => path)).toEqual([
    "metadata/fields-miappe.json",
    "metadata/fields-miappe.schema.json",
  ]);
  const one = await fetch(`${api.url}/dataset/${id}/files/metadata/fields-miappe.json`);
  expect(await one.json()).toEqual(fields.miappe);

  const crate = JSON.parse(await read("ro-crate-metadata.json"))["@graph"] as Record<string, unknown>[];
  const entity = (place: string) => crate.find((found) => found["@id"] === place);
  expect(entity("./")?.additionalProperty).toContainEqual({ "@id": "#fields/miappe/factors/1/values" });
  expect(entity("#fields/miappe/dayTemperature")).toEqual({
    "@id": "#fields/miappe/dayTemperature",
    "@type": "PropertyValue",
    name: "Temperature by day",
    propertyID: "miappe/dayTemperature",
    value: 21.5,
    unitText: "°C",
  });
  expect(entity("#fields/miappe/factors/1/values")?.value).toEqual(["wet", "dry"]);
  const schemaOrg = (await (await fetch(`${api.url}/dataset/${id}/export/schema-org`)).json()) as {
    variableMeasured: { name: string }[];
  };
  expect(schemaOrg.variableMeasured.map(({ name }) => name)).toEqual(["Root length", "Root depth"]);
  expect(schemaOrg).not.toHaveProperty("additionalProperty");
  const dcat = await (await fetch(`${api.url}/dataset/${id}/export/dcat`)).json();
  expect(JSON.stringify(dcat)).toContain('"schema:propertyID":"miappe/germplasm/accession"');
  for (const format of ["ro-crate", "bagit"]) {
    const zip = await fetch(`${api.url}/dataset/${id}/export/${format}`);
    expect(Buffer.from(await zip.arrayBuffer()).includes("metadata/fields-miappe.schema.json")).toBe(true);
  }
  await expectValid(service.archive);
});

describe("after a change of the configuration", () => {
  test("archived values and their titles stay, also in a rebuilt database; only changes must follow the new schema", {
    tags: "extended",
  }, async () => {
    const id = await archive("reconfigured");
    const path = `/dataset/${id}/metadata`;
    const strict = join(service.data, "miappe.json");
    await writeFile(
      strict,
      (await readFile(SCHEMA, "utf8")).replace('"required": ["organisms"]', '"required": ["sowingDate"]'),
    );

    await restart("", async () => {
      await service.recreateDatabase();
      const rebuilt = await runCommand(["rebuild"], service.data, { env: service.settings });
      expect([rebuilt.code, rebuilt.stderr]).toEqual([0, ""]);
    });
    expect((await api.get("/field-groups")).json).toEqual([]);
    expect((await api.get(`/dataset/${id}/field-groups`)).json).toMatchObject([{ name: "miappe" }]);
    const retired = { ...metadata, title: "Without the group" };
    expect((await api.post("/submission/validate", retired)).json.valid).toBe(false);
    expect((await api.post(`/submission/validate?dataset=${id}`, retired)).json.valid).toBe(true);
    const kept = await change(id, retired, '"1.1"');
    expect([kept.status, kept.json.normalized.fields]).toEqual([200, fields]);
    expect(kept.json.warnings.map(({ code }: { code: string }) => code)).toContain("field_group_retired");

    await restart(strict);
    const outdated = await change(id, { ...metadata, title: "Unchanged values" }, '"1.2"');
    expect(outdated.json.warnings.map(({ code }: { code: string }) => code)).toContain("field_values_outdated");
    const edited = { ...metadata, fields: { miappe: { ...fields.miappe, plants: 97 } } };
    expect((await change(id, edited, '"1.3"')).json.errors).toMatchObject([
      { pointer: "/metadata/fields/miappe/sowingDate", code: "required" },
    ]);
    const complete = { ...metadata, fields: { miappe: { ...fields.miappe, plants: 97, sowingDate: "2026-03-02" } } };
    expect((await change(id, complete, '"1.3"')).status).toBe(200);
    const removed = await change(id, goodMetadata, '"1.4"');
    expect([removed.status, removed.json.normalized.fields]).toEqual([200, undefined]);
    expect((await api.get(`/dataset/${id}/field-groups`)).json).toEqual([]);
    expect((await api.get(`/dataset/${id}/files?prefix=metadata/fields-`)).json).toEqual([]);
    expect((await api.get(`${path}?revision=4`)).json.normalized.fields.miappe.plants).toBe(97);
    await restart(SCHEMA);
    await expectValid(service.archive);
  });
});

test("validation with the dataset of another owner is refused like an unknown dataset", async () => {
  const answer = await api.post("/submission/validate?dataset=7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11", metadata);
  expect([answer.status, answer.json.code]).toEqual([404, "not_found"]);
});

test("the schema of the guide is valid, and the values of the guide follow it (docs/how-to/own-fields.md)", {
  tags: "extended",
}, async () => {
  const guide = await readFile("docs/how-to/own-fields.md", "utf8");
  const [schema = "", values = ""] = [...guide.matchAll(/^ *```json\n(.*?)^ *```$/gms)].map(([, block = ""]) => block);
  const file = join(service.data, "trial.json");
  await writeFile(file, schema);
  const run = (text: string) => runCommand(["config"], service.data, { env: { ACCESSION_METADATA_SCHEMAS: text } });
  expect(await run(file)).toMatchObject({ code: 0, stderr: "" });
  const { title: _, ...sent } = JSON.parse(values);
  await restart(file);
  expect((await api.post("/submission/validate", { ...goodMetadata, ...sent })).json).toMatchObject({ valid: true });
  await restart(SCHEMA);

  await writeFile(file, schema.replace('"type": "integer"', '"type": "count"'));
  const { code, stderr } = await run(file);
  expect(code).toBe(2);
  const printed = /^ *```\n *(ACCESSION_METADATA_SCHEMAS names.*?)^ *```$/ms.exec(guide)?.[1] ?? "";
  const words = (text: string) => text.replaceAll("/etc/accession/trial.json", file).split(/\s+/).join(" ").trim();
  expect(words(stderr)).toContain(words(printed));
});

describe("the program does not start with an invalid schema, and names its place", () => {
  test.each([
    ["own.json", '{"type":"object","properties":{"a":{"type":"strin"}}}', "at /properties/a/type"],
    ["own.json", "{", "not JSON"],
    ["own.json", Buffer.from([0xff, 0xfe]), "not UTF-8"],
    ["Own Fields.json", "{}", "lower-case"],
  ])("%s with %.40s", async (name, content, expected) => {
    const file = join(service.data, name);
    await writeFile(file, content);
    const { code, stderr } = await runCommand(["config"], service.data, { env: { ACCESSION_METADATA_SCHEMAS: file } });
    expect(code).toBe(2);
    expect(stderr).toContain("ACCESSION_METADATA_SCHEMAS names");
    expect(stderr).toContain(expected);
  });

  test.each([
    ["/dev/zero", "not a file"],
    ["missing.json", "there is no such file"],
    [`${SCHEMA},${SCHEMA}`, "two files"],
  ])("%s", async (list, expected) => {
    const env = { ACCESSION_METADATA_SCHEMAS: list.replaceAll(SCHEMA, join(process.cwd(), SCHEMA)) };
    const { code, stderr } = await runCommand(["config"], service.data, { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
  });
});
