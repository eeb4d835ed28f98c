import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type Answer, goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { Harvester } from "../support/api/harvester.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { untilCatalogued } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const { embargoDate: _, ...metadata } = goodMetadata as typeof goodMetadata & { embargoDate?: string };

const DAY_MS = 86_400_000;
let s3: S3Server;
let service: TestService;
let tokens: { owner: string; bob: string; cara: string; otto: string; admin: string };

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  const issued = await Tokens.open(service);
  tokens = {
    owner: (await issued.create("ada", "submitter")).token,
    bob: (await issued.create("bob", "submitter")).token,
    cara: (await issued.create("cara", "curator")).token,
    otto: (await issued.create("otto", "curator")).token,
    admin: issued.admin,
  };
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

/** A page as a browser requests it. */
async function open(path: string): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(service.url + path, { headers: { accept: "text/html" } });
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
}

const send = (as: keyof typeof tokens, method: string, path: string, body?: object, headers = {}) =>
  service.api.send(path, {
    method,
    headers: {
      ...bearer(tokens[as]),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function create(id: string, content: object = {}): Promise<void> {
  const answer = await send("admin", "PUT", `/collections/${id}`, { name: { en: `Name of ${id}` }, ...content });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
}

/** Archives a dataset of the owner. */
async function archived(title: string, more: object = {}): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, tokens.owner, { metadata: { ...metadata, title, ...more } });
  return new PublicationClient(service, dataset);
}

async function published(title: string, { request = {}, ...more }: { request?: object; license?: string } = {}) {
  const one = await archived(title, more);
  await one.done(tokens.owner, "request", { agreement: true, access: "open", ...request });
  await one.done(tokens.cara, "approve");
  await one.until(tokens.owner, "published");
  await untilCatalogued(service, one.dataset);
  return one;
}

const member = (as: keyof typeof tokens, method: "PUT" | "DELETE", collection: string, dataset: string) =>
  send(as, method, `/collections/${collection}/datasets/${dataset}`);

async function datasetsOf(collection: string): Promise<string[]> {
  const { json } = await service.api.get(`/collections/${collection}/datasets`);
  return json.datasets.map(({ id }: { id: string }) => id);
}

const problem = ({ status, json }: Answer) => [status, json.code];

describe("a collection", () => {
  test("is created and changed by admins, and seen by anyone without its curators", async () => {
    const content = {
      name: { en: "Barley", de: "Gerste" },
      description: { en: "Trials" },
      curators: ["cara"],
      licences: ["cc-by-4.0"],
    };
    const path = "/collections/barley";
    expect(problem(await send("cara", "PUT", path, content))).toEqual([403, "forbidden"]);
    expect((await service.api.get("/collections")).json).toEqual([]);
    const created = await send("admin", "PUT", path, content);
    expect([created.status, created.headers.get("etag"), created.headers.get("location")]).toEqual([201, '"c1"', path]);
    const shown = {
      ...{ id: "barley", url: `${service.url}${path}`, datasets: 0, changedAt: expect.any(String) },
      ...{ name: content.name, description: content.description, licences: ["CC-BY-4.0"] },
    };
    expect(created.json).toEqual({ ...shown, curators: ["cara"] });
    expect((await service.api.get(path)).json).toEqual(shown);
    expect((await service.api.get("/collections")).json).toEqual([shown]);
    expect((await service.api.get(path, bearer(tokens.owner))).json).toEqual(shown);
    expect((await service.api.get(path, bearer(tokens.otto))).json).toEqual({ ...shown, curators: ["cara"] });

    const changed = { ...content, name: { en: "Barley trials" } };
    expect(problem(await send("admin", "PUT", path, changed))).toEqual([428, "if_match_required"]);
    const stale = { "if-match": '"c7"' };
    expect(problem(await send("admin", "PUT", path, changed, stale))).toEqual([412, "collection_conflict"]);
    const seen = { "if-match": '"c1"' };
    const answer = await send("admin", "PUT", path, changed, seen);
    expect([answer.status, answer.headers.get("etag"), answer.json.name]).toEqual([200, '"c2"', changed.name]);
    const twice = await Promise.all([1, 2].map(() => send("admin", "PUT", path, content, { "if-match": '"c2"' })));
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 412]);
    // The public does not learn that there are other curators.
    const before = (await service.api.get(path)).json;
    const others = { ...content, curators: ["cara", "otto"] };
    expect((await send("admin", "PUT", path, others, { "if-match": '"c3"' })).json.curators).toEqual(["cara", "otto"]);
    expect((await service.api.get(path)).json).toEqual(before);
  });

  test("is refused with every error", async () => {
    const content = { name: { en: " " }, curators: ["nobody"], licences: ["CC-BY-4.0", "MY-OWN"] };
    const answer = await send("admin", "PUT", "/collections/wrong", content);
    expect(problem(answer)).toEqual([422, "invalid_request"]);
    expect(answer.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      ...["/name/en", "/licences/1", "/curators/0"],
    ]);
    for (const id of ["a", "A-b", "-ab", "ab-", "a_b", "x".repeat(65)]) {
      expect([id, ...problem(await send("admin", "PUT", `/collections/${id}`, { name: { en: "x" } }))]).toEqual([
        ...[id, 422, "invalid_request"],
      ]);
    }
    expect(problem(await send("admin", "PUT", "/collections/wrong", { name: { de: "x" } }))).toEqual([
      ...[422, "invalid_request"],
    ]);
    for (const path of ["/collections/wrong", "/collections/wrong/datasets"]) {
      expect(problem(await service.api.get(path))).toEqual([404, "not_found"]);
    }
  });

  test("has the datasets for which the owner has asked, from their publication on", async () => {
    await create("asked");
    const one = await archived("Asked for");
    const request = { agreement: true, access: "open", collections: ["asked"] };
    const unknown = await one.act(tokens.owner, "request", { ...request, collections: ["asked", "none"] });
    expect([...problem(unknown), unknown.json.errors[0].pointer]).toEqual([422, "invalid_request", "/collections/1"]);
    const asked = await one.done(tokens.owner, "request", request);
    expect([asked.collections, asked.history[0].collections]).toEqual([["asked"], ["asked"]]);
    expect(await datasetsOf("asked")).toEqual([]);
    await one.done(tokens.cara, "approve");
    await one.until(tokens.owner, "published");
    await untilCatalogued(service, one.dataset);
    expect(await datasetsOf("asked")).toEqual([one.dataset]);
    expect((await service.api.get("/collections/asked")).json.datasets).toBe(1);
    const search = (await service.api.get("/datasets?facets=true&collection=asked")).json;
    expect(search.datasets.map(({ id }: { id: string }) => id)).toEqual([one.dataset]);
    expect(search.facets).toContainEqual({
      kind: "collection",
      value: "asked",
      label: "Name of asked",
      datasets: 1,
      isEstimated: false,
    });
    expect((await service.api.get("/feed.atom?collection=asked")).text).toContain(one.dataset);
    expect((await service.api.get("/sitemap/1.xml")).text).toContain(`<loc>${service.url}/collections/asked</loc>`);
    expect((await one.get(undefined)).json.collections).toEqual([]);
  });

  test("accepts only datasets with its licences", async () => {
    await create("free", { licences: ["CC0-1.0"] });
    const one = await archived("Other licence", { license: "CC-BY-4.0" });
    const request = { agreement: true, access: "open" };
    const refused = await one.act(tokens.owner, "request", { ...request, collections: ["free"] });
    expect(problem(refused)).toEqual([422, "publication_not_ready"]);
    expect(refused.json.checks).toContainEqual(
      expect.objectContaining({ code: "collection_licence", severity: "error", place: { field: "/license" } }),
    );
    const other = await published("Other licence, published", { license: "CC-BY-4.0" });
    const added = await member("cara", "PUT", "free", other.dataset);
    expect(problem(added)).toEqual([409, "collection_licence"]);
    expect(added.json.detail).toContain("CC0-1.0");
    const free = await published("Free", { license: "CC0-1.0" });
    expect((await member("cara", "PUT", "free", free.dataset)).status).toBe(204);
  });

  test("gets and loses published datasets by its curators", async () => {
    await create("kept", { curators: ["cara"] });
    const one = await published("Kept");
    const refused = await member("otto", "PUT", "kept", one.dataset);
    expect(problem(refused)).toEqual([403, "collection_curators"]);
    expect(refused.json.detail).toContain("cara");
    expect(problem(await member("owner", "PUT", "kept", one.dataset))).toEqual([403, "forbidden"]);
    expect((await member("cara", "PUT", "kept", one.dataset)).status).toBe(204);
    expect((await member("cara", "PUT", "kept", one.dataset)).status).toBe(204);
    expect(await datasetsOf("kept")).toEqual([one.dataset]);
    const history = async () =>
      (await one.get(tokens.owner)).json.history.slice(-1).map((entry: { action: string; collections: string[] }) => {
        return [entry.action, ...entry.collections];
      });
    expect(await history()).toEqual([["added-to-collection", "kept"]]);
    expect(problem(await member("otto", "DELETE", "kept", one.dataset))).toEqual([403, "collection_curators"]);
    for (let time = 0; time < 2; time++)
      expect((await member("admin", "DELETE", "kept", one.dataset)).status).toBe(204);
    expect(await datasetsOf("kept")).toEqual([]);
    expect(await history()).toEqual([["removed-from-collection", "kept"]]);

    const hidden = await archived("Never published");
    expect(problem(await member("cara", "PUT", "kept", hidden.dataset))).toEqual([409, "not_published"]);
    const nothing = "00000000-0000-4000-8000-000000000000";
    expect(problem(await member("cara", "PUT", "kept", nothing))).toEqual([404, "not_found"]);
    expect(problem(await member("cara", "PUT", "none", one.dataset))).toEqual([404, "not_found"]);
  });

  test("loses a dataset if its owner takes it out, and tells nobody else about datasets that are not public", async () => {
    await create("left", { curators: ["cara"] });
    const one = await published("Left", { request: { collections: ["left"] } });
    const memberOf = async (token: string) => (await one.get(token)).json.memberOf;
    const membership = { id: "left", name: { en: "Name of left" } };
    expect(await memberOf(tokens.owner)).toEqual([{ ...membership, canRemove: true }]);
    expect(await memberOf(tokens.otto)).toEqual([{ ...membership, canRemove: false }]);
    expect((await one.get(undefined)).json.memberOf).toEqual([]);
    const hidden = await archived("Hidden");
    const nothing = "00000000-0000-4000-8000-000000000000";
    for (const dataset of [one.dataset, hidden.dataset, nothing]) {
      expect(problem(await member("bob", "DELETE", "left", dataset))).toEqual([404, "not_found"]);
    }
    expect(await datasetsOf("left")).toEqual([one.dataset]);
    const harvester = new Harvester(service);
    const query = `verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:127.0.0.1:${one.dataset}/1`;
    expect(await harvester.ask(query)).toContain("<setSpec>collection:left</setSpec>");
    for (let time = 0; time < 2; time++)
      expect((await member("owner", "DELETE", "left", one.dataset)).status).toBe(204);
    expect(await datasetsOf("left")).toEqual([]);
    expect(await harvester.ask(query)).not.toContain("collection:left");
    const { json } = await one.get(tokens.owner);
    expect([json.memberOf, json.history.at(-1)]).toMatchObject([
      ...[[], { action: "removed-from-collection", actor: "ada", collections: ["left"] }],
    ]);
    // Only a curator puts it back.
    expect(problem(await member("owner", "PUT", "left", one.dataset))).toEqual([403, "forbidden"]);
  });

  test("keeps a dataset while its metadata change, and loses it when it is withdrawn", async () => {
    await create("stays");
    const one = await published("Before", { request: { collections: ["stays"] } });
    const etag = (await one.get(tokens.owner, "/metadata")).headers.get("etag") ?? "";
    const changed = await send(
      ...(["owner", "PUT", `/dataset/${one.dataset}/metadata`] as const),
      { metadata: { ...metadata, title: "After" } },
      { "if-match": etag },
    );
    expect(changed.status).toBeLessThan(300);
    await untilCatalogued(service, one.dataset, "After");
    expect(await datasetsOf("stays")).toEqual([one.dataset]);
    await one.done(tokens.cara, "withdraw", { reason: "An error" });
    expect(await datasetsOf("stays")).toEqual([]);
    expect((await service.api.get("/collections/stays")).json.datasets).toBe(0);
    const listed = await new Harvester(service).ask("verb=ListIdentifiers&metadataPrefix=oai_dc&set=collection:stays");
    expect(listed).toContain('status="deleted"');
  });

  test("is a set for harvesters, who learn of each change", async () => {
    await create("harvest", { name: { en: "Harvest & more" }, description: { en: "<p>All of <b>it</b></p>" } });
    const harvester = new Harvester(service);
    const sets = await harvester.ask("verb=ListSets");
    expect(sets).toContain("<setSpec>collection:harvest</setSpec><setName>Harvest &amp; more</setName>");
    expect(sets).toContain("<dc:description>All of it</dc:description>");
    const one = await published("Harvested");
    const record = () =>
      harvester.ask(`verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:127.0.0.1:${one.dataset}/1`);
    const changedAt = async () => (await service.api.get("/datasets?q=harvested")).json.datasets[0].changedAt as string;
    expect(await record()).not.toContain("collection:harvest");
    const before = await changedAt();
    await member("cara", "PUT", "harvest", one.dataset);
    const added = await changedAt();
    expect(added > before).toBe(true);
    expect(await record()).toContain("<setSpec>collection:harvest</setSpec>");
    const listed = await harvester.ask("verb=ListIdentifiers&metadataPrefix=oai_dc&set=collection:harvest");
    expect(listed).toContain(one.dataset);
    expect((await send("admin", "DELETE", "/collections/harvest")).status).toBe(204);
    expect(await record()).not.toContain("collection:harvest");
    expect((await changedAt()) > added).toBe(true);
    expect(await harvester.ask("verb=ListSets")).not.toContain("collection:harvest");
    const gone = await harvester.ask("verb=ListIdentifiers&metadataPrefix=oai_dc&set=collection:harvest");
    expect(gone).toContain('code="noRecordsMatch"');
    expect(problem(await service.api.get("/collections/harvest"))).toEqual([404, "not_found"]);
    expect((await service.api.get("/datasets?collection=harvest")).json.total).toBe(0);
  });
});

test("a withdrawn record stays in the set of its access, whenever its entry changes after the end of its embargo", async () => {
  await create("embargoes");
  const embargoDate = new Date(Date.now() + 20 * DAY_MS).toISOString().slice(0, 10);
  const request = { access: "embargoed", embargoDate, reason: "An article", collections: ["embargoes"] };
  const [renewed, older] = [await published("Renewed", { request }), await published("Older", { request })];
  for (const one of [renewed, older]) await one.done(tokens.cara, "withdraw", { reason: "A mistake" });
  await service.settled();
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  await service.restart(async () => {
    const { queries, close } = await service.database();
    const entry = (one: PublicationClient) =>
      queries.updateTable("catalogue_entry").where("dataset_id", "=", one.dataset);
    // One changes once more in thirty days; one was withdrawn ten days ago by an earlier version of the service.
    await entry(renewed)
      .set({ changed_at: day(30) })
      .execute();
    await entry(older)
      .set({ access: "embargoed", embargo_date: day(-5), changed_at: day(-10) })
      .execute();
    await close();
  });
  const setsOf = async ({ dataset }: PublicationClient) => {
    const query = `verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:127.0.0.1:${dataset}/1`;
    const record = await new Harvester(service).ask(query);
    expect(record).toContain('status="deleted"');
    return [...record.matchAll(/<setSpec>((?:access|collection):\w+)<\/setSpec>/g)].map(([, set]) => set);
  };
  for (const one of [renewed, older])
    expect((await setsOf(one)).toSorted()).toEqual(["access:embargoed", "collection:embargoes"]);
  expect((await send("admin", "DELETE", "/collections/embargoes")).status).toBe(204);
  for (const one of [renewed, older]) expect(await setsOf(one)).toEqual(["access:embargoed"]);
});

describe("the page of a collection", () => {
  test("shows its text without scripts, a search of its datasets, and a feed", async () => {
    const description = {
      en: 'Barley <script>alert(1)</script> & <i>Hordeum</i> <a href="javascript:alert(1)">x</a>',
      de: "Gerste",
    };
    await create("shown", { name: { en: "Shown </title><b>", de: "Gezeigt" }, description });
    const one = await published("On the page", { request: { collections: ["shown"] } });
    await published("Not on the page");
    const page = await open("/collections/shown");
    expect([page.status, page.type]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain("Shown &lt;/title&gt;&lt;b&gt;");
    expect(page.text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page.text).toContain("<i>Hordeum</i>");
    expect(page.text).not.toContain("javascript:");
    expect(page.text).toContain("On the page");
    expect(page.text).not.toContain("Not on the page");
    expect(page.text).toContain('action="/collections/shown"');
    expect(page.text).toContain("/feed.atom?collection=shown");
    const german = (await open("/collections/shown?lang=de&q=page")).text;
    expect(german).toContain("<h1>Gezeigt</h1>");
    expect(german).toContain("On the <mark>page</mark>");
    expect((await open("/collections/shown?sort=nonsense&utm=x&page=zz")).status).toBe(200);
    const all = (await open("/collections?lang=de")).text;
    expect(all).toContain('<a href="/collections/shown?lang=de">Gezeigt</a>');
    const start = (await open("/?lang=de")).text;
    expect(start).toContain('href="/collections?lang=de"');
    expect((await open("/?lang=de&collection=shown")).text).toContain("Gezeigt ✕");
    const landing = (await open(`/dataset/${one.dataset}`)).text;
    expect(landing).toContain('<a href="/collections/shown">Shown &lt;/title&gt;&lt;b&gt;</a>');
    expect(landing).toContain('"isPartOf":[{"@type":"Collection"');
    await send("admin", "DELETE", "/collections/shown");
    expect((await open(`/dataset/${one.dataset}`)).text).not.toContain("/collections/shown");
    expect((await open("/collections/shown")).status).toBe(404);
  });
});
