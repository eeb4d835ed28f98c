import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const NO_TOKEN = "none";
const NOW = new Date();
const TODAY = NOW.toISOString().slice(0, 10);
const NEXT_YEAR = `${NOW.getUTCFullYear() + 1}-06-01`;
const LAST_YEAR = `${NOW.getUTCFullYear() - 1}-11-05`;
const embargo = { access: "embargoed", embargoDate: NEXT_YEAR, reason: "The article appears later." };
let s3: S3Server;
let account: DataciteAccount;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct", ...account.settings() });
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});

/** The dates that a format states: the year for citations, the day of publication, and the first day on which files are open. */
interface Stated {
  year: string;
  issued?: string;
  available?: string | undefined;
}

/** The parts of dates that each format states. */
const READERS: Record<string, (text: string) => Stated> = {
  "datacite-json": (text) => inRecord(JSON.parse(text)),
  "datacite-xml": (text) => ({
    year: match(text, /<publicationYear>(\d+)</) ?? "",
    issued: match(text, /dateType="Issued">([^<]+)</) ?? "",
    available: match(text, /dateType="Available">([^<]+)</),
  }),
  "schema-org": (text) => ofDay(JSON.parse(text).datePublished),
  dcat: (text) => {
    const { "dcterms:issued": issued, "dcterms:available": available } = JSON.parse(text);
    return { ...ofDay(issued["@value"]), available: available?.["@value"] };
  },
  "dublin-core": (text) => ofDay(match(text, /<dc:date>([^<]+)</)),
  csl: (text) => {
    const [parts] = JSON.parse(text).issued["date-parts"];
    return ofDay(parts.map((part: number) => String(part).padStart(2, "0")).join("-"));
  },
  bibtex: (text) => ({ year: match(text, /year = \{(\d+)\}/) ?? "" }),
  ris: (text) => ({
    ...ofDay(match(text, /DA {2}- (\S+)/)?.replaceAll("/", "-")),
    year: match(text, /PY {2}- (\d+)/) ?? "",
  }),
};

const match = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1];
const ofDay = (day = ""): Stated => ({ year: day.slice(0, 4), issued: day });

interface DataciteDates {
  publicationYear: unknown;
  dates: { date: string; dateType: string }[];
}

function inRecord({ publicationYear, dates }: DataciteDates): Stated {
  const of = (type: string) => dates.filter(({ dateType }) => dateType === type).map(({ date }) => date);
  const [issued = "", ...others] = of("Issued");
  expect(others).toEqual([]);
  return { year: String(publicationYear), issued, available: of("Available")[0] };
}

/** What every format, the landing page, OAI-PMH and DataCite state, by format. */
async function stated(one: PublicationClient): Promise<Map<string, { text: string; dates: Stated }>> {
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.nextAttemptAt === null);
  await service.settled();
  const found = new Map<string, { text: string; dates: Stated }>();
  for (const [format, read] of Object.entries(READERS)) {
    const { text } = await one.get(undefined, `/export/${format}`);
    found.set(format, { text, dates: read(text) });
  }
  const page = await (
    await fetch(`${service.url}/dataset/${one.dataset}`, { headers: { accept: "text/html" } })
  ).text();
  const day = (name: string) => match(page, new RegExp(`<meta name="${name}" content="([^"]+)"`))?.replaceAll("/", "-");
  found.set("citation of the page", { text: "", dates: { year: match(page, /\((\d{4})\)\. <cite>/) ?? "" } });
  found.set("tags for reference managers", { text: "", dates: ofDay(day("citation_publication_date")) });
  found.set("online date", { text: "", dates: ofDay(day("citation_online_date")) });
  found.set("Dublin Core tags", {
    text: page,
    dates: { ...ofDay(day("DCTERMS.issued")), available: day("DCTERMS.available") },
  });
  const embedded = match(page, /<script type="application\/ld\+json">(.+?)<\/script>/s) ?? "{}";
  found.set("JSON-LD of the page", { text: embedded, dates: ofDay(JSON.parse(embedded).datePublished) });
  // The catalogue, from which OAI-PMH reads, follows a change of the publication.
  const entry = await vi.waitUntil(async () => {
    const listed = (await service.api.get("/datasets")).json;
    return (listed.datasets ?? listed).find(({ id }: { id: string }) => id === one.dataset);
  });
  for (const [prefix, read] of [
    ["oai_dc", READERS["dublin-core"]],
    ["datacite", READERS["datacite-xml"]],
  ] as const) {
    const own = await vi.waitUntil(async () => {
      const { text } = await service.api.get(`/oai?verb=ListRecords&metadataPrefix=${prefix}`);
      return text.split("<record>").find((record) => record.includes(one.dataset));
    });
    if (read !== undefined) found.set(`OAI-PMH ${prefix}`, { text: own, dates: read(own) });
  }
  found.set("catalogue", { text: "", dates: { year: String(entry.year) } });
  const { doi } = (await one.get(NO_TOKEN)).json;
  const record = account.server.dois.get(doi)?.attributes as unknown as DataciteDates;
  found.set("DataCite", { text: "", dates: inRecord(record) });
  return found;
}

/** Compares each format in what it states. */
async function expectDates(one: PublicationClient, wanted: Required<Stated>, isEmbargoed: boolean): Promise<void> {
  const found = await stated(one);
  for (const [format, { text, dates }] of found) {
    const same = Object.fromEntries(Object.keys(dates).map((name) => [name, wanted[name as keyof Stated]]));
    expect([format, dates]).toEqual([format, same]);
    if (!isEmbargoed) expect([format, text]).not.toEqual([format, expect.stringMatching(/embargo/i)]);
  }
}

async function archived(): Promise<PublicationClient> {
  return new PublicationClient(service, (await archiveAs(service, s3, undefined)).dataset);
}

async function published(access: object): Promise<PublicationClient> {
  const one = await archived();
  await one.done(NO_TOKEN, "request", { agreement: true, ...access });
  await one.until(NO_TOKEN, "published");
  return one;
}

async function afterChange(change: ReturnType<typeof sql>): Promise<void> {
  await service.restart(async () => {
    const { queries, close } = await service.database();
    await change.execute(queries);
    await close();
  });
}

const year = TODAY.slice(0, 4);

test("every format states the day of publication, and the end of an embargo only as the day of availability", async () => {
  const one = await published(embargo);
  await expectDates(one, { year, issued: TODAY, available: NEXT_YEAR }, true);
  const crate = await one.get(NO_TOKEN, "/export/schema-org");
  expect(crate.json.conditionsOfAccess).toContain(`Under embargo until ${NEXT_YEAR}`);

  // The embargo ends early, and a year later the metadata are changed.
  await one.done(NO_TOKEN, "change-access", { access: "open", reason: "The article was published." });
  await expectDates(one, { year, issued: TODAY, available: TODAY }, false);
  await one.done(NO_TOKEN, "change-access", { ...embargo, reason: "An error" });
  await expectDates(one, { year, issued: TODAY, available: NEXT_YEAR }, true);
});

test("a change of the metadata a year later keeps the year of the citation, also in the archive", async () => {
  const one = await published({ access: "open" });
  await expectDates(one, { year, issued: TODAY, available: TODAY }, false);
  await afterChange(
    sql`update publication set published_at = ${`${LAST_YEAR}T10:00:00Z`}, since = ${`${LAST_YEAR}T10:00:00Z`} where dataset_id = ${one.dataset}`,
  );
  const { status } = await service.api.send(`/dataset/${one.dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, title: "A corrected title" } }),
    headers: { "content-type": "application/json", "if-match": '"1.2"' },
  });
  expect(status).toBe(200);
  await expectDates(one, { year: LAST_YEAR.slice(0, 4), issued: LAST_YEAR, available: LAST_YEAR }, false);
  const crate = (await one.get(NO_TOKEN, "/files/ro-crate-metadata.json")).json;
  const root = crate["@graph"].find((entity: { "@id": string }) => entity["@id"] === "./");
  expect([root.name, root.datePublished]).toEqual(["A corrected title", LAST_YEAR]);
});

test("after the end of an embargo no format says that it is in force, and the year stays", async () => {
  const one = await published(embargo);
  const end = LAST_YEAR.replace("11-05", "12-24");
  await afterChange(sql`update publication set published_at = ${`${LAST_YEAR}T10:00:00Z`}, embargo_date = ${end},
    next_at = now(), catalogued = false where dataset_id = ${one.dataset}`);
  await expectDates(one, { year: LAST_YEAR.slice(0, 4), issued: LAST_YEAR, available: end }, false);
  const { json } = await one.get(undefined, "/export/schema-org");
  expect(json).toMatchObject({ isAccessibleForFree: true });
  expect((await one.get(undefined, "/export/dcat")).text).toContain("access-right/PUBLIC");
  // A change to open access states when the files became open.
  await one.done(NO_TOKEN, "change-access", { access: "open", reason: "The embargo is over." });
  await expectDates(one, { year: LAST_YEAR.slice(0, 4), issued: LAST_YEAR, available: end }, false);
});

test("a registration that lasts over New Year keeps the year of its first request", async () => {
  const one = await archived();
  account.server.addFault({ match: { method: "POST" }, times: 1_000, fault: { closeAfter: true } });
  account.server.addFault({ match: { method: "GET" }, times: 1_000, fault: { status: 503 } });
  await one.done(NO_TOKEN, "request", { agreement: true, access: "open" });
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.problem !== null);
  const eve = LAST_YEAR.replace("11-05", "12-31");
  await service.restart(async () => {
    const { queries, close } = await service.database();
    await sql`update publication set announced_at = ${`${eve}T23:59:58Z`} where dataset_id = ${one.dataset}`.execute(
      queries,
    );
    await close();
    account.reset();
  });
  // The time that the signed record states.
  const { publishedAt } = await one.until(NO_TOKEN, "published");
  expect(publishedAt).toBe(`${eve}T23:59:58.000Z`);
  await expectDates(one, { year: eve.slice(0, 4), issued: eve, available: eve }, false);
});

test("restricted files have no day of availability until they are opened", {
  tags: "extended",
}, async () => {
  const restricted = await published({ access: "restricted", reason: "Consent" });
  const found = await stated(restricted);
  expect(found.get("datacite-json")?.dates).toEqual({ year, issued: TODAY, available: undefined });
  expect(found.get("DataCite")?.dates).toEqual({ year, issued: TODAY, available: undefined });
  await restricted.done(NO_TOKEN, "change-access", { access: "open", reason: "The consent was extended." });
  await expectDates(restricted, { year, issued: TODAY, available: TODAY }, false);
});
