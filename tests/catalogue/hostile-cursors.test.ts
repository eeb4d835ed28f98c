import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { ROUTE_PERMISSIONS } from "../../src/people/route-permissions.ts";
import { goodMetadata } from "../support/api/api.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const ZERO = "00000000-0000-4000-8000-000000000000";
const encoded = (text: string) => Buffer.from(text).toString("base64url");

/** Texts that have the form of a value, and that a database refuses as such. */
const NO_TIMES = [
  ...["2026-99-99 99:99:99+99", "2026-02-30 00:00:00+00", "0000-01-01 00:00:00+00", "99999-01-01 00:00:00+00"],
  ...["2026-01-01 24:00:01+00", "2026-01-01 00:00:00+99", "infinity", "now", "0.5", ""],
];
const NO_RANKS = ["1e-99", "1e99", "NaN", "-1", "0.5 ", "2026-01-01 00:00:00+00", "1.".padEnd(400, "1"), ""];
const NO_NUMBERS = ["9".repeat(19), "9".repeat(400), "-1", "1e3", "0x1", "NaN", "1 1", ""];
const NO_TEXTS = ["a\0b"];

const places = (values: readonly string[]) => values.map((place) => encoded(`1 ${place}`));
const cursors = [...NO_NUMBERS, "A", "", ZERO, "\0"].map((no) => encoded(`${no} 2026-01-01 00:00:00+00`));

/** What a cursor of each public list can be replaced with; every answer is an error of the client. */
const LISTS: [path: string, values: readonly string[]][] = [
  ["/datasets?sort=newest&cursor=", [...places([...NO_TIMES, ...NO_TEXTS]), ...cursors, "AAAA", "%00", "🌾"]],
  ["/datasets?sort=oldest&cursor=", places(NO_TIMES)],
  // The order is that of time as long as nothing is searched for.
  ["/datasets?sort=relevance&cursor=", places([...NO_TIMES, "0.06079271"])],
  ["/datasets?sort=relevance&q=%26&cursor=", places([...NO_TIMES, "0.06079271"])],
  ["/datasets?q=wheat&cursor=", [...places(NO_RANKS), ...cursors]],
  ["/datasets?q=the&cursor=", places(NO_RANKS)],
  ["/datasets?sort=title&cursor=", [...places([...NO_TEXTS, "x".repeat(401)]), encoded("x a")]],
  ["/catalogue.jsonld?after=", NO_NUMBERS.filter((text) => text !== "")],
  ["/usage?cursor=", [...NO_NUMBERS, ZERO.replace("0", "g"), "%00"].filter((text) => text !== "")],
  ["/usage?from=", ["0000-01", "2026-13", "9999-01", "2026-1", "now"]],
  ["/usage?until=", ["2026-00", "99999-01", "infinity"]],
  ["/dataset?cursor=", [encoded(`2026-99-99T99:99:99.999Z 0 ${ZERO}`), encoded(`infinity 0 ${ZERO}`), "AAAA"]],
  ["/dataset?updatedAfter=", ["2026-02-30T00:00:00Z", "infinity", "99999-01-01T00:00:00Z", "-4713-01-01T00:00:00Z"]],
  ["/publication?cursor=", ["2026-02-30T00:00:00.000Z", ...NO_TIMES].map((at) => encoded(`since ${ZERO} 1 ${at}`))],
  ["/publication?sort=title&cursor=", [encoded(`title ${ZERO} 1 a\0b`), encoded(`title ${ZERO} 9999999999 a`)]],
  ["/submission?sort=bytes&cursor=", NO_NUMBERS.map((number) => encoded(`bytes ${ZERO} ${number}`))],
  ["/doi?cursor=", [encoded("10.5072/a\0b")]],
];

/** The same for what is below the address of a dataset. */
const OF_DATASET: [path: string, values: readonly string[]][] = [
  ["?version=", ["0", "9".repeat(19), "9".repeat(400), "1e99", "NaN"]],
  ["?after=", ["9".repeat(19), "9".repeat(400), "1e99", "-1", "NaN"]],
  ["/files?cursor=", ["9".repeat(16), "9".repeat(400), "1e3", "NaN", "%00"]],
  ["/publication?before=", ["0", "9".repeat(19), "1e99"]],
  ["/usage?version=", ["0", "9".repeat(19), "1e99"]],
  ["/metadata?revision=", ["0", "9".repeat(19), "1e99"]],
];

/** Fields of a resumption token, whose form is always that of the service. */
const TOKENS: Record<string, string>[] = [
  ...["9".repeat(19), "-1", "1e3", "", "a\0b"].map((after) => ({ after })),
  ...["2026-02-30", "0000-01-01", "9999-99-99", "infinity", "2026-01-01T24:00:01Z"].map((from) => ({ from })),
  ...["9".repeat(16), "-1", "NaN"].map((cursor) => ({ cursor })),
  ...["\0", "access:'", "type:\ud800"].map((set) => ({ set })),
];

let s3: S3Server;
let service: TestService;
let one: PublicationClient;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  one = await publishAs(service, s3, { metadata: { ...goodMetadata, title: "The wheat of the trial" } });
  const body = JSON.stringify({ name: { en: "Samples" } });
  const headers = { "content-type": "application/json" };
  expect((await service.api.send("/collections/samples", { method: "PUT", headers, body })).status).toBe(201);
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

/** Values whose answer is not an error of the client. */
async function accepted(path: string, values: readonly string[], headers = {}): Promise<object[]> {
  const answers = await Promise.all(
    values.map(async (value) => {
      const response = await fetch(service.url + path + value, { headers, redirect: "manual" });
      return { value, status: response.status, text: await response.text() };
    }),
  );
  return answers.filter(({ status }) => status !== 400 && status !== 422);
}

describe("a cursor or a number that the database cannot compare is an error of the client:", () => {
  test.each(LISTS)("%s", async (path, values) => {
    expect(await accepted(path, values)).toEqual([]);
  });

  test.each(OF_DATASET)("/dataset/{id}%s", async (path, values) => {
    for (const accept of ["application/json", "text/html"]) {
      const wrong = await accepted(`/dataset/${one.dataset}${path}`, values, { accept });
      expect(wrong).toEqual([]);
    }
  });

  test.each(TOKENS)("a resumption token with %o", async (fields) => {
    const all = { metadataPrefix: "oai_dc", after: "1", cursor: "1", size: "1", ...fields };
    const token = encoded(new URLSearchParams(all).toString());
    const response = await fetch(`${service.url}/oai?verb=ListIdentifiers&resumptionToken=${token}`);
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringMatching(/<error code="(?:badResumptionToken|noRecordsMatch)">/),
    ]);
  });

  test("the smallest relevance that the database knows is accepted", async () => {
    for (const place of ["1e-44", "0", "0e-99", "9.9e-38"]) {
      expect((await fetch(`${service.url}/datasets?q=wheat&cursor=${encoded(`1 ${place}`)}`)).status).toBe(200);
    }
  });
});

describe("a text that the database cannot store is no error of the service", () => {
  const PARTS = /:\w+|\*/g;
  const TEXTS = ["a%00b", "%ED%A0%80"];
  /** Pages of the site take parameters that the API description does not list. */
  const PAGES = ["/", "/collections", "/collections/:id", "/dataset/:id", "/dataset/:id/preview/*"];

  /** Requests that the service answers with an error of its own. */
  async function failing(requests: readonly [method: string, path: string][]): Promise<string[]> {
    const failed: string[] = [];
    for (const [method, path] of requests) {
      const json = ["POST", "PUT", "PATCH"].includes(method);
      for (const accept of ["application/json", "text/html"]) {
        const headers = { accept, ...(json && { "content-type": "application/json" }) };
        const sent = { method, headers, redirect: "manual", ...(json && { body: "{}" }) } as const;
        const response = await fetch(service.url + path, sent);
        await response.arrayBuffer();
        if (response.status >= 500) failed.push(`${method} ${path}: ${response.status}`);
      }
    }
    return failed;
  }

  /** The path of a route, with this text instead of one of its parts. */
  const filled = (pattern: string, replaced = -1, text = "") => {
    let at = 0;
    return pattern.replace(PARTS, (part) => {
      if (at++ === replaced) return text;
      return part === "*"
        ? "data/README.md"
        : pattern.startsWith("/dataset/") || part === ":dataset"
          ? one.dataset
          : ZERO;
    });
  };
  const routes = Object.keys(ROUTE_PERMISSIONS).map((route) => route.split(" ") as [method: string, pattern: string]);

  test("in the path", async () => {
    const requests = routes.flatMap(([method, pattern]) =>
      [...pattern.matchAll(PARTS)].flatMap((_, at) =>
        TEXTS.map((text): [string, string] => [method, filled(pattern, at, text)]),
      ),
    );
    expect(requests.length).toBeGreaterThan(100);
    expect(await failing(requests)).toEqual([]);
  });

  test("in the query", async () => {
    const { paths } = (await service.api.get("/openapi.json")).json as {
      paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>;
    };
    const documented = (method: string, pattern: string): string[] =>
      (paths[pattern.replace(/:(\w+)/g, "{$1}").replace("*", "{path}")]?.[method.toLowerCase()]?.parameters ?? [])
        .filter((parameter) => parameter.in === "query")
        .map(({ name }) => name);
    const all = new Set(routes.flatMap(([method, pattern]) => documented(method, pattern)));
    for (const name of ["folder", "from", "after", "lang", "inline"]) all.add(name);
    const requests = routes.flatMap(([method, pattern]) => {
      const names = method === "GET" && PAGES.includes(pattern) ? [...all] : documented(method, pattern);
      const path = filled(pattern.replace("/collections/:id", "/collections/samples"));
      return names.flatMap((name) => TEXTS.map((text): [string, string] => [method, `${path}?${name}=${text}`]));
    });
    expect(requests.length).toBeGreaterThan(100);
    expect(await failing(requests)).toEqual([]);
  });
});
