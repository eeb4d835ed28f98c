import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { archiveAs } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { shown } from "../support/page/shown.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const HOSTILE = `</dl><script>alert(1)</script>"'&`;
const SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Trial & site",
  "x-titles": { de: "Versuch" },
  type: "object",
  properties: {
    site: { title: `Site ${HOSTILE}`, "x-titles": { de: "Standort" }, type: "string" },
    soil: {
      title: "Soil",
      type: "string",
      oneOf: [{ const: "l", title: "Loam", "x-titles": { de: "Lehm" } }],
    },
    spacing: { title: "Spacing", type: "number", "x-unit": "cm" },
    irrigated: { title: "Irrigated", type: "boolean" },
    sown: { title: "Sown", type: "string", format: "date" },
    record: { title: "Record", type: "string", format: "uri" },
    note: { title: "Note", type: "string" },
    plots: {
      title: "Plots",
      type: "array",
      items: { type: "object", properties: { number: { title: "Number", type: "integer" } } },
    },
  },
};
const VALUES = {
  ...{ site: HOSTILE, soil: "l", spacing: 1012.25, irrigated: false, sown: "2026-04-01" },
  ...{ record: "https://example.org/trials/1?a=1&b=2", note: "javascript:alert(1)" },
  plots: Array.from({ length: 300 }, (_, n) => ({ number: n + 1 })),
};
const metadata = { ...goodMetadata, fields: { trial: VALUES } };
let folder: string;
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-own-fields-"));
  await writeFile(join(folder, "trial.json"), JSON.stringify(SCHEMA));
  s3 = await startS3Server();
  service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_METADATA_SCHEMAS: join(folder, "trial.json"),
  });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
  await rm(folder, { recursive: true });
});

async function open(dataset: string, language = "en") {
  const headers = { accept: "text/html" };
  const answer = await fetch(`${service.url}/dataset/${dataset}?lang=${language}`, { headers, redirect: "manual" });
  return { status: answer.status, text: await answer.text() };
}

test("the landing page shows the values of the operator’s fields in the language of the page, as texts and safe links", async () => {
  const { dataset } = await publishAs(service, s3, { metadata });
  const { text } = await open(dataset);
  expect(text).toContain('<h2 id="fields-trial">Trial &amp; site</h2>');
  expect(text).not.toContain("<script>alert");
  const page = shown(text);
  expect(page).toContain(`Site ${HOSTILE}`);
  for (const one of ["Loam", "1,012.25 cm", "1 April 2026", "javascript:alert(1)"]) expect(page).toContain(one);
  expect(text).toContain("<dt>Irrigated</dt><dd>No</dd>");
  expect(text).toContain('<a href="https://example.org/trials/1?a=1&amp;b=2" rel="nofollow">');
  expect(text).not.toContain('href="javascript:');
  // The page stays small.
  expect(page).toContain("and 107 more; all values are in the RO-Crate");
  const german = shown((await open(dataset, "de")).text);
  for (const one of ["Versuch", "Standort", "Lehm", "1.012,25 cm", "1. April 2026", "Nein"]) {
    expect(german).toContain(one);
  }
});

test("an archived schema that the service no longer accepts takes away only the titles of its fields", async () => {
  const { dataset } = await publishAs(service, s3, { metadata });
  await service.restart(async () => {
    const database = await service.database();
    const refused = { fieldSchemas: { trial: '{"type": "object", "title": "Trial"}' } };
    const { id, metadata: stored } = await database.queries
      .selectFrom("submission")
      .select(["id", "metadata"])
      .where("dataset_id", "=", dataset)
      .executeTakeFirstOrThrow();
    const changed = JSON.stringify({ ...stored, ...refused });
    await database.queries.updateTable("submission").set({ metadata: changed }).where("id", "=", id).execute();
    await database.close();
  });
  const { status, text } = await open(dataset);
  expect(status).toBe(200);
  const page = shown(text);
  for (const one of [HOSTILE, "2026-04-01", "number 12", "and 107 more"]) expect(page).toContain(one);
  expect(text).toContain('<h2 id="fields-trial">trial</h2>');
  expect(text).toContain('<dt>soil</dt><dd><bdi class="lines">l</bdi></dd>');
  expect(page).not.toContain("Only admins");
  // Without sign-in, every caller is an admin.
  const details = await service.api.get(`/dataset/${dataset}?details=true&lang=en`);
  expect(details.status).toBe(200);
  expect(shown(details.json.details.page.further)).toContain("/properties The schema has no fields. To archive them");
  const groups = await service.api.get(`/dataset/${dataset}/field-groups`);
  expect(groups.json[0].fields[0]).toMatchObject({ name: "note", title: "note", type: "text" });
  for (const format of ["ro-crate", "croissant", "schema-org", "dcat", "datacite-json"]) {
    expect([format, (await service.api.get(`/dataset/${dataset}/export/${format}`)).status]).toEqual([format, 200]);
  }
});

test("what is not published, or was withdrawn, shows none of them", async () => {
  const { dataset } = await archiveAs(service, s3, undefined, { metadata });
  expect((await open(dataset)).text).not.toContain("Trial &amp; site");
  const one = await publishAs(service, s3, { metadata });
  await service.api.post(`/dataset/${one.dataset}/publication/withdraw`, { reason: "A name" });
  const gone = await open(one.dataset);
  expect([gone.status, gone.text.includes("fields-trial")]).toEqual([410, false]);
});
