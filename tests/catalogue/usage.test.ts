import { request as send } from "node:http";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const ROBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const FILE = "/files/data/README.md";
const OTHER_FILE = "/files/data/plots/a.csv";
const PREVIEW = "/preview/data/plots/a.csv";
const DAY_MS = 86_400_000;
/** Tomorrow, in the middle of an hour, so that steps of a test stay in it. */
const NOON = Math.ceil(Date.now() / DAY_MS) * DAY_MS + 44_400_000;

let s3: S3Server;
let service: TestService;
let ada: string;
let bob: string;
let curator: string;
let one: PublicationClient;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_TRUSTED_PROXIES: "127.0.0.0/8",
  });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  curator = (await tokens.create("cora", "curator")).token;
});
beforeEach(async () => {
  one = await published();
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function published(request: object = {}): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, ada);
  const client = new PublicationClient(service, dataset);
  await client.done(ada, "request", { agreement: true, access: "open", ...request });
  await client.until(ada, "published");
  return client;
}

/** Sets the clock of the service. */
function setClock(time: number): void {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ["Date"], now: time });
}

interface Sent {
  agent?: string;
  address?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a request as a reader, and reads the response to its end. */
async function read(
  path: string,
  { agent = FIREFOX, address = "192.0.2.1", method = "GET", headers = {} }: Sent = {},
  dataset = one.dataset,
): Promise<number> {
  const url = path.startsWith("/download") ? service.url + path : `${service.url}/dataset/${dataset}${path}`;
  return new Promise((resolve, reject) => {
    const all = { ...(agent !== "" && { "user-agent": agent }), "x-forwarded-for": address, ...headers };
    send(url, { method, headers: all }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", reject)
      .end();
  });
}

const HTML = { headers: { accept: "text/html" } };

let lastReader = 0;

/** Waits until all uses of a test are counted: those before a last one. */
async function counted(dataset = one.dataset) {
  lastReader += 1;
  const barrier = { address: `198.18.0.${lastReader}`, agent: "curl/8.5.0" };
  const usage = async () => (await service.api.get(`/dataset/${dataset}/usage`)).json;
  const before = (await usage()).total.machine.totalInvestigations;
  expect(await read("/export/bibtex", barrier, dataset)).toBe(200);
  // A use is recorded after its response was sent.
  await vi.waitUntil(
    async () => {
      await service.settled();
      return (await usage()).total.machine.totalInvestigations > before;
    },
    { interval: 10 },
  );
  const { total, months } = await usage();
  return { ...total.regular, machine: total.machine, months };
}

const counts = (investigations: number, uniqueInvestigations: number, requests: number, uniqueRequests: number) => ({
  ...{ totalInvestigations: investigations, uniqueInvestigations },
  ...{ totalRequests: requests, uniqueRequests },
});

describe("uses are counted as COUNTER defines", () => {
  test("views and metadata are investigations; downloads are requests and investigations", async () => {
    setClock(NOON);
    for (const path of ["", "/export/datacite-json", "/files?limit=1", "/files?limit=2"]) {
      expect(await read(path, path === "" ? HTML : {})).toBe(200);
    }
    for (const path of [FILE, OTHER_FILE, "/files/data/plots", "/export/bagit"]) expect(await read(path)).toBe(200);
    // Two pages of the list of files are one use.
    expect(await counted()).toMatchObject(counts(7, 1, 4, 1));
  });

  test("double clicks within 30 seconds count once, also in a row", async () => {
    const at = async (seconds: number) => {
      setClock(NOON + seconds * 1_000);
      expect(await read(FILE)).toBe(200);
    };
    for (const seconds of [0, 29, 58, 87]) await at(seconds);
    expect(await counted()).toMatchObject(counts(1, 1, 1, 1));
    // The previous click was written already, and the next two are written together.
    for (const seconds of [116, 147, 178]) await at(seconds);
    expect(await counted()).toMatchObject(counts(3, 1, 3, 1));
  });

  test("a reader is an address and a user agent; a session ends with the hour", async () => {
    setClock(NOON);
    for (const sent of [{}, { agent: CHROME }, { address: "192.0.2.2" }]) await read(FILE, sent);
    expect(await counted()).toMatchObject(counts(3, 3, 3, 3));
    setClock(NOON + 3_600_000);
    await read(FILE);
    expect(await counted()).toMatchObject(counts(4, 4, 4, 4));
  });

  test("ranges of a file count once, and failed, conditional and HEAD requests do not count", async () => {
    setClock(NOON);
    for (const range of ["bytes=0-1", "bytes=2-3", "bytes=-1"]) {
      expect(await read(FILE, { headers: { range } })).toBe(206);
    }
    const refused: [string, Sent, number][] = [
      [OTHER_FILE, { headers: { range: "bytes=999-" } }, 416],
      [OTHER_FILE, { headers: { "if-none-match": "*" } }, 304],
      [OTHER_FILE, { method: "HEAD" }, 200],
      ["", { method: "HEAD", ...HTML }, 200],
      ["/files/data/missing", {}, 404],
      ["?version=7", HTML, 404],
    ];
    for (const [path, sent, status] of refused) expect([path, await read(path, sent)]).toEqual([path, status]);
    expect(await counted()).toMatchObject(counts(1, 1, 1, 1));
  });

  test("the landing page states one view and several ones with the right words", async () => {
    const { dataset } = await published();
    setClock(NOON);
    const usageIn = async (language: string, dataset: string) => {
      const headers = { accept: "text/html", "accept-language": language, ...bearer(ada) };
      const text = await (await fetch(`${service.url}/dataset/${dataset}`, { headers })).text();
      return /<h2 id="usage">.*?<p>(.*?)<\/p>/s.exec(text)?.[1];
    };
    // Counting is itself a use by a program.
    await counted();
    const usageOf = async (dataset: string) => [await usageIn("en", dataset), await usageIn("de", dataset)];
    expect(await usageOf(one.dataset)).toEqual(["1 view<br>0 downloads", "1 Aufruf<br>0 Downloads"]);
    await read(FILE, {}, dataset);
    await counted(dataset);
    expect(await usageOf(dataset)).toEqual(["2 views<br>1 download", "2 Aufrufe<br>1 Download"]);
  });

  test("robots do not count, and programs count separately", { tags: "extended" }, async () => {
    setClock(NOON);
    for (const agent of [ROBOT, ""]) for (const path of ["", FILE]) await read(path, { agent });
    for (const agent of ["python-requests/2.32.3", "Wget/1.21.4"]) await read(FILE, { agent });
    const { machine, ...regular } = await counted();
    expect(regular).toMatchObject(counts(0, 0, 0, 0));
    // With the use that `counted` sends.
    expect(machine).toEqual(counts(3, 3, 2, 2));
  });

  test("the owner, curators and admins do not count, other accounts do", async () => {
    setClock(NOON);
    for (const token of [ada, curator]) {
      for (const path of ["", FILE]) expect(await read(path, { headers: bearer(token) })).toBe(200);
      for (const path of ["", PREVIEW])
        expect(await read(path, { headers: { ...bearer(token), accept: "text/html" } })).toBe(200);
    }
    expect(await counted()).toMatchObject(counts(0, 0, 0, 0));
    expect(await read(FILE, { headers: bearer(bob) })).toBe(200);
    expect(await counted()).toMatchObject(counts(1, 1, 1, 1));
    expect(await read(PREVIEW, { headers: bearer(bob) })).toBe(200);
    expect(await counted()).toMatchObject(counts(2, 1, 1, 1));
  });

  test("a download link counts as the file that it names", { tags: "extended" }, async () => {
    setClock(NOON);
    await read(FILE);
    const link = async (path: string) => {
      const { json } = await service.api.post(`/dataset/${one.dataset}/download-link`, { path });
      return read(json.url);
    };
    expect([await link("data/README.md"), await link("data/plots/a.csv")]).toEqual([200, 200]);
    expect(await counted()).toMatchObject(counts(2, 1, 2, 1));
  });

  test("a session that uses two versions is one session of the dataset", { tags: "extended" }, async () => {
    await archiveAs(service, s3, ada, { more: { dataset: { id: one.dataset } } });
    await service.api.post(
      `/dataset/${one.dataset}/publication/request?version=2`,
      { agreement: true, access: "open" },
      bearer(ada),
    );
    await one.until(ada, "published");
    setClock(NOON);
    for (const version of [1, 2]) expect(await read(`${FILE}?version=${version}`)).toBe(200);
    expect(await counted()).toMatchObject(counts(2, 1, 2, 1));
    for (const version of [1, 2]) {
      const { json } = await service.api.get(`/dataset/${one.dataset}/usage?version=${version}`);
      expect([json.version, json.total.regular]).toEqual([version, counts(1, 1, 1, 1)]);
    }
  });
});

describe("what is published about the usage", () => {
  test("a dataset has its months, as JSON and CSV", async () => {
    for (const time of ["2031-01-31T23:59:20Z", "2031-02-01T00:00:00Z"]) {
      setClock(Date.parse(time));
      await read(FILE);
    }
    const { months, machine: _, ...total } = await counted();
    expect(total).toEqual(counts(2, 2, 2, 2));
    expect(months.map(({ month }: { month: string }) => month)).toEqual(["2031-01", "2031-02"]);
    const csv = await service.api.get(`/dataset/${one.dataset}/usage`, { accept: "text/csv" });
    expect(csv.text).toBe(
      [
        "Month,Access_Method,Total_Dataset_Investigations,Unique_Dataset_Investigations,Total_Dataset_Requests,Unique_Dataset_Requests",
        "2031-01,Regular,1,1,1,1",
        "2031-02,Regular,1,1,1,1",
        "2031-02,Machine,1,1,0,0",
        "",
      ].join("\r\n"),
    );
  });

  test("all datasets together and each of them, for a range of months, in pages", { tags: "extended" }, async () => {
    const other = await published();
    setClock(Date.parse("2035-05-10T10:00:00Z"));
    for (const { dataset } of [one, other]) {
      await read(FILE, {}, dataset);
      await read(FILE, { agent: CHROME }, dataset);
      await counted(dataset);
    }
    const { json } = await service.api.get("/usage?from=2035-05&until=2035-05");
    const ids = [one.dataset, other.dataset].toSorted();
    expect(json).toMatchObject({
      ...{ from: "2035-05", until: "2035-05" },
      total: { regular: counts(4, 4, 4, 4), machine: counts(2, 2, 0, 0) },
      months: [{ month: "2035-05", regular: counts(4, 4, 4, 4) }],
      datasets: ids.map((id) => ({ id, url: `${service.url}/dataset/${id}`, regular: counts(2, 2, 2, 2) })),
    });
    const first = await service.api.get("/usage?until=2035-05&limit=1");
    expect([first.json.from, first.json.datasets[0].id]).toEqual(["2034-06", ids[0]]);
    const [, next = ""] = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
    const second = await service.api.get(next.replace(service.url, ""));
    expect([second.json.datasets[0].id, second.headers.get("link")]).toEqual([ids[1], null]);
    const csv = await service.api.get("/usage?until=2035-05", { accept: "text/csv" });
    expect(csv.text.split("\r\n")).toHaveLength(1 + 4 + 1);
    expect((await service.api.get("/usage?from=2036-01&until=2036-12")).json.datasets).toEqual([]);
  });

  test("wrong months and cursors are refused", async () => {
    for (const query of ["from=2030-13", "until=2030", "from=2031-02&until=2031-01", "cursor=x"]) {
      expect((await service.api.get(`/usage?${query}`)).status, query).toBeOneOf([400, 422]);
    }
  });

  test("nothing about a dataset that is not published, and zeros for its owner", { tags: "extended" }, async () => {
    const { dataset } = await archiveAs(service, s3, ada);
    const missing = "00000000-0000-4000-8000-000000000000";
    const [secret, none] = await Promise.all(
      [dataset, missing].map((id) => service.api.get(`/dataset/${id}/usage`, bearer(bob))),
    );
    expect([secret?.status, none?.status]).toEqual([404, 404]);
    expect((await service.api.get(`/dataset/${dataset}/usage`)).status).toBe(401);
    await read(FILE, { headers: bearer(ada) }, dataset);
    const own = await service.api.get(`/dataset/${dataset}/usage`, bearer(ada));
    expect(own.json).toMatchObject({ total: { regular: counts(0, 0, 0, 0) }, months: [] });
  });
});

test("stopping the service loses no use, and no address, user agent or salt of an earlier day stays", {
  tags: "extended",
}, async () => {
  setClock(NOON);
  const sent = { ...HTML, address: "198.51.100.23" };
  expect(await read("", sent)).toBe(200);
  await service.restart();
  const { json } = await service.api.get(`/dataset/${one.dataset}/usage`);
  expect(json.total.regular).toEqual(counts(1, 1, 0, 0));
  // The click before the restart is known afterwards.
  expect(await read("", sent)).toBe(200);
  expect(await counted()).toMatchObject(counts(1, 1, 0, 0));
  const stored = async () => {
    const database = await service.database();
    const tables = ["usage_day", "usage_key", "usage_salt"].map(
      async (name) =>
        (await sql<{ expires_at?: Date }>`select * from ${sql.table(name)}`.execute(database.queries)).rows,
    );
    const [days = [], keys = [], salts = []] = await Promise.all(tables);
    const { rows } = await sql<{ day: string }>`select day::text from usage_salt`.execute(database.queries);
    await database.close();
    expect(JSON.stringify([days, keys, salts])).not.toMatch(/198\.51\.100\.23|Firefox/);
    // Other tests have used the service in later years.
    const near = keys.filter(({ expires_at }) => (expires_at?.getTime() ?? 0) < NOON + 3 * DAY_MS);
    return { keys: near.length, salts: rows };
  };
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  await service.restart(async () => {
    const { keys, salts } = await stored();
    expect([keys > 2, salts]).toEqual([true, [{ day: dayOf(NOON) }]]);
  });
  setClock(NOON + DAY_MS);
  await counted();
  await service.restart(async () => {
    const { keys, salts } = await stored();
    // The click and the sessions of the last use. Its salt is that of the day on which it was written.
    expect([keys, salts.filter(({ day }) => day === dayOf(NOON))]).toEqual([3, []]);
  });
});

test("ACCESSION_USAGE_STATISTICS=off counts and shows nothing", { tags: "extended" }, async () => {
  await service.restart(undefined, { ACCESSION_USAGE_STATISTICS: "off" });
  try {
    expect(await read(FILE)).toBe(200);
    for (const path of ["/usage", `/dataset/${one.dataset}/usage`]) {
      const { status, json } = await service.api.get(path);
      expect([status, json.code]).toEqual([404, "not_found"]);
    }
  } finally {
    await service.restart(undefined, { ACCESSION_USAGE_STATISTICS: "on" });
  }
  expect((await service.api.get(`/dataset/${one.dataset}/usage`)).json.months).toEqual([]);
});
