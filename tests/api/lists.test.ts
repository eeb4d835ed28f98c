import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const MIB = 2 ** 20;
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("one");
  s3.put("one", "a", "a");
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const access = () => ({ endpoint: s3.endpoint, bucket: "one", ...keys });

/** 10,000 authors whose metadata are just below this size as JSON, in bytes. */
function metadataOf(bytes: number): typeof goodMetadata & Record<string, unknown> {
  const author = (affiliation: string) => ({ role: "Creator", firstName: "Ada", lastName: "Lovelace", affiliation });
  const least = JSON.stringify({ ...goodMetadata, authors: Array(10_000).fill(author("")) }).length;
  const affiliation = "x".repeat(Math.floor((bytes - least) / 10_000));
  return { ...goodMetadata, title: "Largest", authors: Array(10_000).fill(author(affiliation)) };
}

interface Entry {
  id: string;
  title: string;
  owner: string;
  version: number;
  submission: string;
  target: { id: string; version: number } | null;
  dataset: { id: string; version: number } | null;
  updatedAt: string;
  withdrawn: { reason: string } | null;
  metadata: Record<string, unknown>;
}

/** Reads all pages of a list. */
async function all(path: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let at: string | undefined = path; at !== undefined; ) {
    const { status, json, headers } = await service.api.get(at);
    expect(status, at).toBe(200);
    found.push(...json);
    at = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
  }
  return found;
}

describe("lists of submissions and datasets", () => {
  const titles = { soil: "Soil moisture of wheat", roots: "Wurzelbilder – Gerste", rye: "Rye" };
  const authors = [
    { role: "Creator", firstName: "Josiah", lastName: "Müller-Lüdenscheidt", orcid: "0000-0002-1825-0097" },
    {
      role: "Contributor",
      firstName: "Σοφία",
      lastName: "Παπαδόπουλος",
      affiliation: "Institut für Pflanzengenetik, Messe, Corrensstraße",
    },
  ];
  const ids: Record<string, string> = {};
  let between = "";

  beforeAll(async () => {
    const submit = async (name: string, metadata: object, more: object = {}) => {
      const accepted = await service.api.submit(access(), { metadata: { ...goodMetadata, ...metadata }, ...more });
      await service.api.until(accepted.id, ["completed"]);
      ids[name] = accepted.id;
      return service.api.submission(accepted.id);
    };
    const soil = await submit("soil", { title: titles.soil, subjects: ["irrigation"], description: "Taken on plots." });
    await submit("roots", { title: titles.roots, authors, subjects: ["植物根系"], description: "None" });
    const { json } = await service.api.get(`/submission/${ids.roots}`);
    between = json.updatedAt;
    await submit("soil again", { title: titles.soil }, { dataset: { id: soil.dataset?.id } });
    await submit("rye", { title: titles.rye, subjects: [], description: null });
  });

  test.each([
    ["part of a title", "oil moist", ["soil", "soil again"]],
    ["beginnings of words from several members", "whe irrig", ["soil"]],
    ["words without case and diacritics", "muller-LUDENSCH", ["roots"]],
    ["ß as ss", "CORRENSSTRASSE", ["roots"]],
    ["ss as ß", "meß", ["roots"]],
    ["Greek words", "σοφια παπαδοπουλοσ", ["roots"]],
    ["an affiliation", "pflanzengenetik", ["roots"]],
    ["an ORCID iD", "0000-0002-1825-0097", ["roots", "rye", "soil", "soil again"]],
    ["the beginning of an ORCID iD", "0000-0002-18", ["roots", "rye", "soil", "soil again"]],
    ["a part of a text without spaces", "根系", ["roots"]],
    ["a word that is only within another", "genetik", []],
    ["signs alone", "–", ["roots"]],
    ["what a query language would read", "wheat' & !x:*\\", []],
    ["words in another order", "wheat soil", ["soil", "soil again"]],
  ])("a search finds %s", async (_, q, found) => {
    const names = async (path: string, id: (entry: Entry) => string) => {
      const entries = await all(`${path}?limit=1&q=${encodeURIComponent(q)}`);
      return entries.map((entry) => Object.keys(ids).find((name) => ids[name] === id(entry))).sort();
    };
    expect(await names("/submission", ({ id }) => id)).toEqual(found);
    const latest = found.filter((name) => name !== "soil");
    expect(await names("/dataset", ({ submission }) => submission)).toEqual(latest);
  });

  test("the list of datasets shows the latest version of each, newest first", async () => {
    const datasets = await all("/dataset?limit=2");
    expect(datasets.map(({ title, version, submission }) => [title, version, submission])).toEqual([
      [titles.rye, 1, ids.rye],
      [titles.roots, 1, ids.roots],
      [titles.soil, 2, ids["soil again"]],
    ]);
    expect(datasets[1]?.metadata).toMatchObject({ authorsTotal: 2, subjects: ["植物根系"] });
  });

  test("updatedAfter excludes older entries", async () => {
    const after = `updatedAfter=${encodeURIComponent(between)}`;
    expect((await all(`/submission?${after}`)).map(({ id }) => id)).toEqual([ids.rye, ids["soil again"]]);
    expect((await all(`/dataset?${after}`)).map(({ submission }) => submission)).toEqual([ids.rye, ids["soil again"]]);
    const outside = ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-23:59"];
    for (const time of ["yesterday", ...outside]) {
      for (const list of ["dataset", "submission"]) {
        const { status, json } = await service.api.get(`/${list}?updatedAfter=${encodeURIComponent(time)}`);
        expect([time, status, json.errors?.[0].pointer]).toEqual([time, 422, "/updatedAfter"]);
      }
    }
  });

  test("an entry names the version that a submission creates", async () => {
    const entries = await all("/submission?q=soil");
    const [second, first] = entries.map(({ target }) => target);
    expect([first?.version, second?.version, first?.id]).toEqual([1, 2, second?.id]);
    expect(entries.map(({ dataset }) => dataset)).toEqual([second, first]);
  });

  test("a withdrawn dataset remains in the list and is marked", async () => {
    const [rye] = await all("/dataset?q=rye");
    expect((await service.api.post(`/dataset/${rye?.id}/withdraw`, { reason: "Wrong field" })).status).toBe(202);
    const [after] = await all(`/dataset?updatedAfter=${rye?.updatedAt}&limit=1`);
    expect([after?.id, after?.withdrawn?.reason]).toEqual([rye?.id, "Wrong field"]);
  });
});

describe("metadata", () => {
  const upload = (metadata: object) =>
    service.api.post("/submission/upload/s3upload", { metadata, s3Access: access() });

  test("of more than 4 MiB are rejected with a separate code", async () => {
    const { status, json } = await upload(metadataOf(4.1 * MIB));
    expect([status, json.errors]).toEqual([
      422,
      [{ pointer: "/metadata", code: "metadata_too_large", detail: expect.stringContaining("The maximum is 4.0 MiB") }],
    ]);
    const validated = await service.api.post("/submission/validate", { metadata: metadataOf(4.1 * MIB) });
    expect(JSON.stringify(validated.json)).toContain("metadata_too_large");
  });

  test("with the longest title of letters that do not compress are accepted and found", async () => {
    const letters = Array.from({ length: 2_000 }, (_, n) => String.fromCodePoint(0x20000 + ((n * 7_919) % 40_000)));
    const title = letters.join("");
    const { status, json } = await upload({ ...goodMetadata, title });
    expect(status, JSON.stringify(json)).toBe(202);
    const [entry] = await all(`/submission?q=${encodeURIComponent(letters.slice(0, 30).join(""))}`);
    expect([entry?.id, Array.from(entry?.title ?? "").length]).toEqual([json.id, 300]);
  });
});

describe("a submission of 1,000 objects with the longest names", { tags: "extended" }, () => {
  let files = "";

  beforeAll(async () => {
    s3.createBucket("names");
    // JSON escapes each of these bytes with six characters.
    for (let n = 0; n < 1_000; n++) s3.put("names", `${"\u0001".repeat(1_000)}${n}`, "x");
    const { id } = await service.api.submit({ ...access(), bucket: "names" });
    const { dataset } = await service.api.until(id, ["completed"]);
    files = `/submission/${id}/files`;
    await service.restart(async () => {
      const { queries, close } = await service.database();
      await sql`insert into event (submission_id, seq, at, attempt, type, message, data)
        select ${id}::uuid, n, now(), 1, 'excluded', 'Left out', json_build_object('count', 1, 'reason', 'x',
          'keys', array_fill(repeat('k', 1000), array[20]))
        from generate_series(1001, 3000) as n`.execute(queries);
      await close();
    });
    expect(dataset).not.toBeNull();
  });

  test.each(["", "dataset"])("is listed in pages of at most 4 MiB %s", async (kind) => {
    const { dataset } = await service.api.submission(files.split("/")[2] ?? "");
    const path = kind === "" ? files : `/dataset/${dataset?.id}/files`;
    const { text, headers } = await service.api.get(`${path}?limit=1000`);
    expect(text.length).toBeLessThan(4.1 * MIB);
    expect(headers.get("link")).toContain("next");
    expect((await all(`${path}?limit=1000`)).length).toBe(kind === "" ? 1_000 : 1_005);
    expect((await service.api.get(`${path}?limit=1000`, { accept: "text/csv" })).text.length).toBeLessThan(4.1 * MIB);
  });

  test("has a log that is sent completely and in order while it is read", async () => {
    const { status, json } = await service.api.get(`${files.replace("/files", "/events")}?after=1000&limit=1999`);
    expect([status, json.length, json[0].id, json.at(-1).id]).toEqual([200, 1_999, 1_001, 2_999]);
  });
});

// Run with the embedded database, which shares the memory of the service.
describe.skipIf(inject("onPostgres"))("80 submissions with the largest metadata", { tags: "extended" }, () => {
  const COUNT = 80;

  beforeAll(async () => {
    const metadata = metadataOf(3.9 * MIB);
    const { id } = await service.api.submit(access(), {
      metadata,
      selection: { exclude: Array(100).fill("x".repeat(1_000)) },
    });
    await service.api.until(id, ["completed"]);
    await service.restart(async () => {
      const database = await service.database();
      const { rows } = await sql<{ column_name: string }>`
        select column_name from information_schema.columns where table_name = 'submission'`.execute(database.queries);
      const others = rows.map(({ column_name: name }) => name).filter((name) => !["id", "dataset_id"].includes(name));
      const columns = sql.raw(others.join(", "));
      await sql`insert into submission (id, ${columns})
        select gen_random_uuid(), ${columns} from submission, generate_series(2, ${COUNT})
        where submission.id = ${id}`.execute(database.queries);
      await database.close();
    });
  });

  test("have responses of limited size, also of four concurrent lists", async () => {
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 20);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((n) => service.api.get(`/submission?limit=1000&sort=${n % 2 ? "-created" : "title"}`)),
    );
    clearInterval(watch);
    for (const { status, text, json } of answers) {
      expect([status, json.filter(({ title }: Entry) => title === "Largest").length]).toEqual([200, COUNT]);
      expect(text.length).toBeLessThan(MIB);
    }
    expect(most - before).toBeLessThan(200 * MIB);
  });
});
