import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { contentOf, Harvester } from "../support/api/harvester.ts";
import { archiveAs, type PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote } from "../support/tools.ts";

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const HOSTILE = `]]> <script>&amp; "x" 'y' \u0085 \u{1F33E}`;
const schema = fileURLToPath(new URL("../../src/describe/formats/datacite/kernel-4.7/metadata.xsd", import.meta.url));

let s3: S3Server;
let service: TestService;
let harvester: Harvester;
let open: PublicationClient;
let embargoed: PublicationClient;
let ended: PublicationClient;
let restricted: PublicationClient;
let withdrawn: PublicationClient;
let hidden: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  const embargo = (embargoDate: string) => ({ request: { access: "embargoed", embargoDate, reason: "A paper" } });
  const named = (title: string) => ({ metadata: { ...goodMetadata, title } });
  open = await publishAs(service, s3, {
    metadata: { ...goodMetadata, title: HOSTILE, resourceTypeGeneral: "Software" },
  });
  embargoed = await publishAs(service, s3, { ...named("Embargoed"), ...embargo(inDays(30)) });
  ended = await publishAs(service, s3, { ...named("Embargo ended"), ...embargo(inDays(30)) });
  restricted = await publishAs(service, s3, {
    ...named("Restricted"),
    request: { access: "restricted", reason: "Persons" },
  });
  withdrawn = await publishAs(service, s3, named("Withdrawn"));
  await withdrawn.done("none", "withdraw", { reason: "An error" });
  hidden = (await archiveAs(service, s3, undefined, named("Never published"))).dataset;
  const before = new Harvester(service);
  await vi.waitUntil(
    async () => (await before.ask("verb=ListIdentifiers&metadataPrefix=oai_dc")).includes('status="deleted"'),
    { interval: 100 },
  );
  // An embargo that ended this midnight, of a dataset that was changed ten days ago.
  await service.restart(async () => {
    const database = await service.database();
    for (const table of ["publication", "catalogue_entry"]) {
      await sql`update ${sql.table(table)} set embargo_date = ${inDays(0)} where dataset_id = ${ended.dataset}`.execute(
        database.queries,
      );
    }
    await sql`update catalogue_entry set changed_at = now() - interval '10 days' where dataset_id = ${ended.dataset}`.execute(
      database.queries,
    );
    await database.close();
  });
  harvester = new Harvester(service);
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const idOf = (one: PublicationClient | string) => `oai:127.0.0.1:${typeof one === "string" ? one : one.dataset}/1`;
const errorOf = (text: string) => /<error code="(\w+)"/.exec(text)?.[1];

/** The datasets of a list, in their order. */
async function listed(selection: Record<string, string>): Promise<string[]> {
  const text = await harvester.ask({ verb: "ListIdentifiers", metadataPrefix: "oai_dc", ...selection });
  const names = new Map(
    Object.entries({ open, embargoed, ended, restricted, withdrawn }).map(([name, one]) => [idOf(one), name]),
  );
  return [...text.matchAll(/<identifier>(.*?)<\/identifier>/g)].map(([, id = ""]) => names.get(id) ?? id);
}

describe("answers", () => {
  test("to Identify describe the service", async () => {
    const text = await harvester.ask("verb=Identify");
    expect(contentOf(text, "baseURL")).toBe(`${service.url}/oai`);
    expect(contentOf(text, "deletedRecord")).toBe("persistent");
    expect(contentOf(text, "granularity")).toBe("YYYY-MM-DDThh:mm:ssZ");
    expect(contentOf(text, "responseDate")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(Date.parse(contentOf(text, "earliestDatestamp"))).toBeLessThan(Date.now() - 9 * DAY_MS);
    expect(text).toContain(`<request verb="Identify">${service.url}/oai</request>`);
  });

  test("are the same by GET and by POST of a form", async () => {
    const parameters = new URLSearchParams({ verb: "GetRecord", metadataPrefix: "datacite", identifier: idOf(open) });
    const sent = await fetch(`${service.url}/oai`, { method: "POST", body: parameters });
    const undated = (text: string) => text.replace(/<responseDate>.*?</, "<");
    expect([sent.status, sent.headers.get("content-type")]).toEqual([200, "text/xml; charset=utf-8"]);
    expect(undated(await sent.text())).toBe(undated(await harvester.ask(Object.fromEntries(parameters))));
  });

  test("name the sets and the formats", async () => {
    const sets = await harvester.ask("verb=ListSets");
    expect([...sets.matchAll(/<setSpec>(.*?)</g)].map(([, spec]) => spec)).toEqual([
      ...["access", "access:open", "access:embargoed", "access:restricted", "type", "type:Dataset", "type:Software"],
    ]);
    for (const argument of ["", `&identifier=${idOf(open)}`, `&identifier=${idOf(withdrawn)}`]) {
      const formats = await harvester.ask(`verb=ListMetadataFormats${argument}`);
      expect([...formats.matchAll(/<metadataPrefix>(.*?)</g)].map(([, prefix]) => prefix)).toEqual([
        ...["oai_dc", "datacite", "oai_datacite"],
      ]);
    }
  });

  test("contain withdrawn versions as deletions, without metadata", async () => {
    const text = await harvester.ask({ verb: "GetRecord", metadataPrefix: "oai_dc", identifier: idOf(withdrawn) });
    expect(text).toContain('<header status="deleted">');
    expect(text).not.toContain("<metadata>");
    expect(text).not.toContain("Withdrawn");
  });

  test("contain nothing of datasets that were never published", async () => {
    expect(await listed({})).toEqual(["open", "embargoed", "ended", "restricted", "withdrawn"]);
    const text = await harvester.ask({ verb: "GetRecord", metadataPrefix: "oai_dc", identifier: idOf(hidden) });
    const missing = "00000000-0000-4000-8000-000000000000";
    const other = await harvester.ask({ verb: "GetRecord", metadataPrefix: "oai_dc", identifier: idOf(missing) });
    const same = (answer: string) => answer.replace(/<responseDate>.*?</, "<").replace(/[0-9a-f-]{36}/, "");
    expect(same(text)).toBe(same(other));
    expect(errorOf(text)).toBe("idDoesNotExist");
  });
});

describe("selective harvesting", () => {
  test.each([
    ["access:open", ["open", "ended", "withdrawn"]],
    ["access:embargoed", ["embargoed"]],
    ["access:restricted", ["restricted"]],
    ["type:Software", ["open"]],
    ["type:Dataset", ["embargoed", "ended", "restricted", "withdrawn"]],
    ["access", ["open", "embargoed", "ended", "restricted", "withdrawn"]],
  ])("of the set %s finds its records", async (set, names) => {
    expect(await listed({ set })).toEqual(names);
  });

  test("finds the end of an embargo as a change at midnight in UTC", async () => {
    const midnight = Date.parse(`${inDays(0)}T00:00:00Z`);
    const at = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;
    expect(await listed({ until: at(midnight), from: at(midnight) })).toEqual(["ended"]);
    expect(await listed({ from: inDays(0), until: inDays(0) })).toContain("ended");
    for (const period of [{ until: at(midnight - SECOND_MS) }, { from: inDays(-20), until: inDays(-5) }]) {
      const text = await harvester.ask({ verb: "ListRecords", metadataPrefix: "oai_dc", ...period });
      expect(errorOf(text)).toBe("noRecordsMatch");
    }
    const record = await harvester.ask({ verb: "GetRecord", metadataPrefix: "oai_dc", identifier: idOf(ended) });
    expect(contentOf(record, "datestamp")).toBe(at(midnight));
    expect(record).toContain("<setSpec>access:open</setSpec>");
  });
});

describe("errors", () => {
  const list = "verb=ListRecords&metadataPrefix=oai_dc";
  const tokens = [
    { metadataPrefix: "oai_dc", after: "1", cursor: "1", size: "1", x: "1" },
    { metadataPrefix: "nothing", after: "1", cursor: "1", size: "1" },
    { metadataPrefix: "oai_dc", after: "1'", cursor: "1", size: "1" },
    { metadataPrefix: "oai_dc", set: "type:\0", after: "1", cursor: "1", size: "1" },
    { metadataPrefix: "oai_dc", after: "1", cursor: "-1", size: "1" },
  ].map((fields) =>
    Buffer.from(new URLSearchParams(fields as Record<string, string>).toString()).toString("base64url"),
  );
  const wrong: [query: string, code: string][] = [
    ["", "badVerb"],
    ["verb=", "badVerb"],
    ["verb=identify", "badVerb"],
    ["verb=__proto__", "badVerb"],
    ["verb=constructor", "badVerb"],
    ["verb=Identify&verb=Identify", "badVerb"],
    ["verb=Identify&metadataPrefix=oai_dc", "badArgument"],
    ["verb=Identify&x=1", "badArgument"],
    ["verb=ListRecords", "badArgument"],
    [`${list}&metadataPrefix=oai_dc`, "badArgument"],
    [`${list}&unknown=1`, "badArgument"],
    [`${list}&__proto__=1`, "badArgument"],
    [`${list}&from=`, "badArgument"],
    [`${list}&from=2026-02-30`, "badArgument"],
    [`${list}&from=0000-01-01`, "badArgument"],
    [`${list}&from=2026-01-01T00:00Z`, "badArgument"],
    [`${list}&from=2026-01-01T00:00:00.000Z`, "badArgument"],
    [`${list}&from=2026-01-01T00:00:00%2B01:00`, "badArgument"],
    [`${list}&from=2026-01-01T25:00:00Z`, "badArgument"],
    [`${list}&from=2026-01-01&until=2026-01-02T00:00:00Z`, "badArgument"],
    [`${list}&from=2026-01-02&until=2026-01-01`, "badArgument"],
    [`${list}&set=a%20b`, "badArgument"],
    [`${list}&set=type:%00`, "badArgument"],
    [`${list}&resumptionToken=x`, "badArgument"],
    [`${list}&from=9999-12-31&until=9999-12-31`, "noRecordsMatch"],
    [`${list}&until=0001-01-01`, "noRecordsMatch"],
    [`${list}&set=access:secret`, "noRecordsMatch"],
    [`${list}&set=type:None`, "noRecordsMatch"],
    [`${list}&set=access:open:x`, "noRecordsMatch"],
    ["verb=ListRecords&metadataPrefix=marc21", "cannotDisseminateFormat"],
    ["verb=ListRecords&metadataPrefix=constructor", "cannotDisseminateFormat"],
    ["verb=ListRecords&metadataPrefix=%3Cx%3E", "badArgument"],
    ["verb=GetRecord&metadataPrefix=oai_dc", "badArgument"],
    ["verb=GetRecord&metadataPrefix=oai_dc&identifier=wrong", "idDoesNotExist"],
    ["verb=GetRecord&metadataPrefix=oai_dc&identifier=a%22b%3C%00%EF%BF%BF", "idDoesNotExist"],
    ["verb=ListMetadataFormats&identifier=oai:example.org:1", "idDoesNotExist"],
    ["verb=ListSets&resumptionToken=x", "badResumptionToken"],
    ["verb=ListRecords&resumptionToken=x", "badResumptionToken"],
    ["verb=ListRecords&resumptionToken=%00%FF", "badResumptionToken"],
    ...tokens.map((token): [string, string] => [`verb=ListRecords&resumptionToken=${token}`, "badResumptionToken"]),
  ];

  test.each(wrong)("“%s” is %s", async (query, code) => {
    const text = await harvester.ask(query);
    expect([text, errorOf(text)]).toEqual([text, code]);
    if (!lacks("xmllint")) execFileSync("xmllint", ["--noout", "-"], { input: text, stdio: "pipe" });
    // The schema allows no arguments in these answers.
    if (code === "badVerb" || code === "badArgument") expect(text).toContain("<request>");
  });
});

describe("requests that are no requests of the protocol", () => {
  const FORM = "application/x-www-form-urlencoded";
  const identify = "verb=Identify";
  /** A body whose length is not stated. */
  const streamed = (text: string) => new Blob([text]).stream();
  const post = (type: string | undefined, body: string | ReadableStream, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/oai?${identify}`, {
      method: "POST",
      body: typeof body === "string" ? new TextEncoder().encode(body) : body,
      headers: { ...(type !== undefined && { "content-type": type }), ...headers },
      ...({ duplex: "half" } as object),
    });
  const tooLong = `${identify}&x=${"x".repeat(16_384)}`;

  test.each<[string, () => Promise<Response>, RegExp]>([
    ["JSON", () => post("application/json", "{}"), /Content-Type: application\/x-www-form-urlencoded/],
    ["a multipart form", () => post("multipart/form-data; boundary=b", "--b--"), /Content-Type/],
    ["no content type", () => post(undefined, identify), /Content-Type/],
    ["a content type that is none", () => post(";", identify), /Content-Type/],
    ["a compressed form", () => post(FORM, identify, { "content-encoding": "gzip" }), /without compression/],
    ["a form that is too long", () => post(FORM, tooLong), /16384 bytes/],
    ["a form of unknown length that is too long", () => post(FORM, streamed(tooLong)), /16384 bytes/],
    ["nine million letters", () => post(FORM, "x".repeat(9_000_000)), /16384 bytes/],
  ])("by POST, %s is badArgument", async (_, send, reason) => {
    const answer = await send();
    const text = await answer.text();
    expect([answer.status, answer.headers.get("content-type"), errorOf(text)]).toEqual([
      ...[200, "text/xml; charset=utf-8", "badArgument"],
    ]);
    expect(text).toMatch(reason);
    expect(text).toContain(`<request>${service.url}/oai</request>`);
    if (!lacks("xmllint")) execFileSync("xmllint", ["--noout", "-"], { input: text, stdio: "pipe" });
  });

  test.each([`${FORM}; charset=UTF-8`, FORM.toUpperCase()])("the content type %s is that of a form", async (type) => {
    const answer = await fetch(`${service.url}/oai`, {
      method: "POST",
      body: new TextEncoder().encode(identify),
      headers: { "content-type": type },
    });
    expect(await answer.text()).toContain("<Identify>");
  });

  test.each(["application/json", "image/png;q=1, */*;q=0", "nonsense"])(
    "that accept only %s are answered with the only type that there is",
    async (accept) => {
      const answer = await fetch(`${service.url}/oai?${identify}`, { headers: { accept } });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/xml; charset=utf-8"]);
    },
  );

  test.each(["PUT", "DELETE", "PATCH"])("with the method %s are refused by HTTP", async (method) => {
    const answer = await fetch(`${service.url}/oai?${identify}`, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS, POST"]);
  });
});

describe("metadata", () => {
  test.skipIf(lacks("xmllint")).each(["datacite", "oai_datacite"])(
    `in the format %s conform to the schema of DataCite ${skipNote("xmllint")}`,
    async (metadataPrefix) => {
      const text = await harvester.ask({ verb: "ListRecords", metadataPrefix });
      const resources = [...text.matchAll(/<resource .*?<\/resource>/gs)].map(([resource]) => resource);
      expect(resources).toHaveLength(4);
      for (const resource of resources) {
        execFileSync("xmllint", ["--nonet", "--noout", "--schema", schema, "-"], { input: resource, stdio: "pipe" });
      }
    },
  );

  test.skipIf(lacks("xmllint"))(`that look like markup are text ${skipNote("xmllint")}`, async () => {
    const text = await harvester.ask({ verb: "GetRecord", metadataPrefix: "oai_dc", identifier: idOf(open) });
    const title = execFileSync("xmllint", ["--xpath", "string(//*[local-name()='title'])", "-"], { input: text });
    expect(title.toString().trim()).toBe(HOSTILE);
  });

  test("are those of the exports", async () => {
    for (const [prefix, format] of [
      ["oai_dc", "dublin-core"],
      ["datacite", "datacite-xml"],
    ] as const) {
      for (const one of [open, embargoed, restricted]) {
        const text = await harvester.ask({ verb: "GetRecord", metadataPrefix: prefix, identifier: idOf(one) });
        const exported = await service.api.get(join("/dataset", one.dataset, "export", format));
        expect(contentOf(text, "metadata")).toBe(exported.text.replace(/^<\?xml.*?\?>\s*/, ""));
      }
    }
  });
});

test("a service that publishes nothing is a valid repository without records", { tags: "extended" }, async () => {
  await using empty = await startTestService();
  const one = new Harvester(empty);
  expect(contentOf(await one.ask("verb=Identify"), "earliestDatestamp")).toMatch(/Z$/);
  expect(errorOf(await one.ask("verb=ListRecords&metadataPrefix=oai_dc"))).toBe("noRecordsMatch");
  expect(await one.ask("verb=ListSets")).toContain("<setSpec>access:open</setSpec>");
});
