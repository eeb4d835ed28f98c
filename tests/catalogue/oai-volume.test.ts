/** @module-tag extended */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { contentOf, Harvester, type StoredRecord } from "../support/api/harvester.ts";
import { type HarvestedRecord, harvestOutside } from "../support/api/outside-harvester.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs, untilCatalogued } from "../support/api/published.ts";
import { copyPublished } from "../support/database/many-published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote } from "../support/tools.ts";

vi.setConfig({ testTimeout: 400_000 });

const COPIES = 10_000;
const NO_TOKEN = "none";

let s3: S3Server;
let service: TestService;
let harvester: Harvester;
/** Datasets before the copies in lists, and after them. */
const early: PublicationClient[] = [];
const late: PublicationClient[] = [];
/** Others, for the outside harvester. */
const OTHERS = 6;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct", ACCESSION_RATE_LIMIT: "0" });
  for (let n = 0; n < 4 + OTHERS; n++) early.push(await publishAs(service, s3));
  await service.restart(async () => {
    const database = await service.database();
    await copyPublished(database, early[0]?.dataset ?? "", COPIES);
    await database.close();
  });
  for (let n = 0; n < 4; n++) late.push(await publishAs(service, s3));
  harvester = new Harvester(service);
}, 400_000);
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const idOf = ({ dataset }: PublicationClient) => `oai:127.0.0.1:${dataset}/1`;

/** Waits until harvesters can learn of a change. */
async function untilHarvested(one: PublicationClient, expected: (record: string) => boolean): Promise<void> {
  const identifier = idOf(one);
  await vi.waitUntil(
    async () => expected(await harvester.ask({ verb: "GetRecord", metadataPrefix: "oai_dc", identifier })),
    {
      interval: 100,
    },
  );
}

async function withdraw(one: PublicationClient): Promise<void> {
  await one.done(NO_TOKEN, "withdraw", { reason: "Withdrawn by the authors" });
  const before = new Date(Date.now() - 5_000).toISOString();
  await untilHarvested(one, (record) => record.includes('status="deleted"') && contentOf(record, "datestamp") > before);
}

async function rename(one: PublicationClient, title: string): Promise<void> {
  const url = `/dataset/${one.dataset}/metadata`;
  const { headers } = await service.api.get(url);
  const sent = await service.api.send(url, {
    method: "PUT",
    headers: { "content-type": "application/json", "if-match": headers.get("etag") ?? "" },
    body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
  });
  expect([sent.status, sent.text]).toEqual([expect.toBeOneOf([200, 202]), expect.anything()]);
  await untilHarvested(one, (record) => record.includes(title));
}

/** Harvests into a store, as a harvester does. @returns identifiers that were sent more than once */
async function harvest(
  store: Map<string, StoredRecord>,
  selection: Record<string, string>,
  { verb = "ListRecords" as "ListRecords" | "ListIdentifiers", meanwhile = async (_page: number) => {} } = {},
) {
  const repeated: string[] = [];
  const seen = new Set<string>();
  let responseDate = "";
  let pages = 0;
  for await (const page of harvester.pages(verb, { metadataPrefix: "oai_dc", ...selection })) {
    if (pages === 0) responseDate = page.responseDate;
    expect(page.cursor).toBe(seen.size);
    expect(page.size).toBeGreaterThanOrEqual(seen.size + page.records.length);
    for (const [identifier, record] of page.records) {
      if (seen.has(identifier)) repeated.push(identifier);
      seen.add(identifier);
      store.set(identifier, record);
    }
    await meanwhile(pages);
    pages += 1;
  }
  return { repeated, responseDate, seen, pages };
}

test("10,000 records are harvested without a loss or a repetition while records change", async () => {
  const store = new Map<string, StoredRecord>();
  const added: PublicationClient[] = [];
  const changes: Record<number, () => Promise<unknown>> = {
    // Of each kind, one that was sent before and one that comes later.
    10: () => withdraw(early[0] as PublicationClient),
    20: () => withdraw(late[0] as PublicationClient),
    30: () => rename(early[1] as PublicationClient, "Renamed after it was harvested"),
    40: () => rename(late[1] as PublicationClient, "Renamed before it was harvested"),
    50: async () => added.push(await publishAs(service, s3)),
    60: () =>
      (early[2] as PublicationClient).done(NO_TOKEN, "change-access", { access: "restricted", reason: "Persons" }),
  };
  const first = await harvest(store, {}, { meanwhile: async (page) => void (await changes[page]?.()) });
  expect(first.repeated).toEqual([]);
  expect(first.pages).toBeGreaterThan(100);
  expect(store.size).toBe(COPIES + early.length + late.length + added.length);
  for (const one of [...early, ...late, ...added]) expect(store.has(idOf(one))).toBe(true);

  await untilHarvested(early[2] as PublicationClient, (record) => record.includes("access:restricted"));
  // The harvest continues where the first one began, and then knows what a new harvester learns.
  const next = await harvest(store, { from: first.responseDate });
  expect(next.repeated).toEqual([]);
  const changed = [early[0], early[1], early[2], late[0], late[1], added[0]] as PublicationClient[];
  expect([...next.seen]).toEqual(expect.arrayContaining(changed.map(idOf)));
  // Times are compared by whole seconds, so the last publication before the harvest can be sent again.
  expect(next.seen.size).toBeLessThanOrEqual(changed.length + 1);
  const fresh = new Map<string, StoredRecord>();
  await harvest(fresh, {});
  expect(Object.fromEntries(store)).toEqual(Object.fromEntries(fresh));

  const headers = new Map<string, StoredRecord>();
  const listed = await harvest(headers, {}, { verb: "ListIdentifiers" });
  expect(listed.repeated).toEqual([]);
  const headerOf = ({ metadata: _, ...header }: StoredRecord) => header;
  const headersOf = (all: Map<string, StoredRecord>) => [...all].map(([id, record]) => [id, headerOf(record)]);
  expect(headersOf(headers)).toEqual(headersOf(fresh));
  expect(Object.fromEntries(headers)[idOf(early[0] as PublicationClient)]).toMatchObject({
    isDeleted: true,
    sets: ["access:open", "type:Dataset"],
  });
  await untilCatalogued(service, added[0]?.dataset ?? "");
});

describe.skipIf(lacks("HTTP::OAI"))(`an outside harvester ${skipNote("HTTP::OAI")}`, () => {
  /** Datasets before the copies in the list, three for each test. */
  const others = () => early.splice(4, OTHERS / 2) as [PublicationClient, PublicationClient, PublicationClient];
  const byId = (records: readonly HarvestedRecord[]) => new Map(records.map((one) => [one.identifier, one]));
  const inAnyOrder = (records: Iterable<HarvestedRecord>) =>
    [...records].sort((one, other) => (one.identifier < other.identifier ? -1 : 1));

  test.each(["ListRecords", "ListIdentifiers"] as const)(
    "walks 10,000 records by %s without a loss or a repetition while records are changed, withdrawn and added",
    async (verb) => {
      const [sentThenWithdrawn, sentThenRenamed, sentThenRestricted] = others();
      const withdrawn = await publishAs(service, s3);
      const renamed = await publishAs(service, s3);
      const restricted = await publishAs(service, s3);
      const restrict = (one: PublicationClient) =>
        one.done(NO_TOKEN, "change-access", { access: "restricted", reason: "Persons" });
      const added: PublicationClient[] = [];
      const before = byId((await harvestOutside(service, "ListIdentifiers")).records);
      expect(before.size).toBeGreaterThan(COPIES);

      const changes: (() => Promise<unknown>)[] = [
        () => withdraw(sentThenWithdrawn),
        () => withdraw(withdrawn),
        () => rename(sentThenRenamed, "Renamed after it was harvested"),
        () => rename(renamed, "Renamed before it was harvested"),
        async () => added.push(await publishAs(service, s3)),
        () => restrict(sentThenRestricted),
        () => restrict(restricted),
        () => rename(sentThenRenamed, "Renamed a second time"),
        async () => added.push(await publishAs(service, s3)),
      ];
      const first = await harvestOutside(
        service,
        verb,
        {},
        { every: 1_000, at: async (pause) => changes[pause - 1]?.() },
      );
      const store = byId(first.records);
      expect(first.records.length).toBe(store.size);
      expect([...before.keys()].filter((id) => !store.has(id))).toEqual([]);
      expect(store.size).toBe(before.size + added.length);
      expect(store.get(idOf(withdrawn))).toMatchObject({ isDeleted: true, title: null });
      expect(store.get(idOf(sentThenWithdrawn))?.isDeleted).toBe(false);
      if (verb === "ListRecords") {
        expect(store.get(idOf(renamed))?.title).toBe("Renamed before it was harvested");
        expect(store.get(idOf(sentThenRenamed))?.title).toBe(goodMetadata.title);
      }

      // The next harvest has all that changed, and after it the harvester knows what a new one learns.
      const changed = [
        withdrawn,
        renamed,
        restricted,
        sentThenWithdrawn,
        sentThenRenamed,
        sentThenRestricted,
        ...added,
      ];
      await untilHarvested(restricted, (record) => record.includes("access:restricted"));
      await untilHarvested(sentThenRestricted, (record) => record.includes("access:restricted"));
      const next = await harvestOutside(service, verb, { from: first.responseDate });
      expect(next.records.map(({ identifier }) => identifier)).toEqual(expect.arrayContaining(changed.map(idOf)));
      expect(next.records.length).toBe(byId(next.records).size);
      // Times are compared by whole seconds, so the last publications before the harvest can be sent again.
      expect(next.records.length).toBeLessThanOrEqual(changed.length + 3);
      for (const record of next.records) store.set(record.identifier, record);
      expect(store.get(idOf(sentThenWithdrawn))).toMatchObject({ isDeleted: true, title: null });
      const fresh = await harvestOutside(service, verb);
      expect(inAnyOrder(store.values())).toEqual(inAnyOrder(fresh.records));
    },
  );
});

// Measures elapsed time. On a busy machine a page also ends earlier, with fewer records.
test.each(["oai_dc", "datacite", "oai_datacite"])(
  "a page of 100 records in the format %s takes less than 2 seconds",
  async (prefix) => {
    const times: number[] = [];
    for (let n = 0; n < 3; n++) {
      const began = performance.now();
      for await (const { records } of harvester.pages("ListRecords", { metadataPrefix: prefix })) {
        times.push(performance.now() - began);
        expect(records).toHaveLength(100);
        break;
      }
    }
    // The fastest, because other tests run beside this one.
    expect(Math.min(...times)).toBeLessThan(2_000);
  },
);
