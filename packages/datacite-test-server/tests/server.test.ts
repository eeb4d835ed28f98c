import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Account, type DataciteServer, startDataciteServer } from "../src/index.ts";
import { RateLimit } from "../src/rate-limit.ts";

const account = (): Account => ({
  repository: "TEST.REPO",
  password: "secret:with-colon",
  prefixes: ["10.5072"],
  domains: ["data.example.org", "*.lab.example.org"],
});
const other: Account = { repository: "TEST.OTHER", password: "other", prefixes: ["10.9999"], domains: ["*"] };
const complete = {
  url: "https://data.example.org/dataset/1",
  creators: [{ name: "Carberry, Josiah", affiliation: [{ name: "Brown University" }] }],
  titles: [{ title: "Barley roots" }],
  publisher: { name: "Accession" },
  publicationYear: 2026,
  types: { resourceTypeGeneral: "Dataset" },
};

let server: DataciteServer;
beforeEach(async () => {
  server = await startDataciteServer({ accounts: [account(), other] });
});
afterEach(() => server.close());

interface Asked {
  body?: unknown;
  as?: Account | null;
  query?: string;
}

async function call(method: string, path: string, { body, as = account(), query = "" }: Asked = {}) {
  const answer = await fetch(`${server.url}${path}${query}`, {
    method,
    redirect: "manual",
    headers: {
      "content-type": "application/vnd.api+json",
      ...(as !== null && { authorization: `Basic ${btoa(`${as.repository}:${as.password}`)}` }),
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json = /json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : undefined;
  return { status: answer.status, headers: answer.headers, attributes: json?.data?.attributes, json };
}

const put = (doi: string, attributes: object, asked: Asked = {}) =>
  call("PUT", `/dois/${doi}`, { body: { data: { type: "dois", attributes } }, ...asked });
const DOI = "10.5072/abc123";

describe("the states", () => {
  test("a draft needs nothing but its DOI, and can be deleted", async () => {
    expect(await put(DOI, {})).toMatchObject({
      status: 201,
      attributes: { doi: DOI, state: "draft", registered: null },
    });
    expect((await put(DOI.toUpperCase(), { titles: [{ title: "x" }] })).status).toBe(200);
    expect((await call("GET", `/dois/${encodeURIComponent(DOI)}`)).attributes.titles).toEqual([{ title: "x" }]);
    expect((await call("DELETE", `/dois/${DOI}`)).status).toBe(204);
    expect((await call("GET", `/dois/${DOI}`)).status).toBe(404);
  });

  test("events lead from draft to registered and findable, and back to registered, never to draft", async () => {
    expect((await put(DOI, { ...complete, event: "register" })).attributes.state).toBe("registered");
    expect((await put(DOI, { event: "publish" })).attributes.state).toBe("findable");
    expect((await put(DOI, { event: "hide" })).attributes.state).toBe("registered");
    expect((await put(DOI, { event: "hide" })).attributes.state).toBe("registered");
    expect((await put(DOI, { event: "draft" })).attributes.state).toBe("registered");
    expect((await put(DOI, { event: "publish", state: "draft" })).attributes.state).toBe("findable");
    expect((await put(DOI, { event: "register" })).attributes.state).toBe("findable");
    expect((await call("DELETE", `/dois/${DOI}`)).status).toBe(405);
  });

  test("a findable DOI needs its mandatory attributes, also after an update", async () => {
    const refused = await put(DOI, { ...complete, titles: [], event: "publish" });
    expect(refused).toMatchObject({
      status: 422,
      json: { errors: [{ source: "titles", title: "can't be blank", uid: DOI }] },
    });
    expect(server.dois.size).toBe(0);
    await put(DOI, { ...complete, event: "publish" });
    expect((await put(DOI, { types: {} })).json.errors[0].source).toBe("types");
  });

  test("the domain is checked only when the state changes", async () => {
    const elsewhere = { ...complete, url: "https://example.org/1" };
    expect((await put(DOI, elsewhere)).status).toBe(201);
    expect((await put(DOI, { event: "publish" })).json.errors[0].source).toBe("url");
    expect((await put(DOI, { url: "https://sub.data.example.org/", event: "publish" })).status).toBe(422);
    expect((await put(DOI, { url: "https://a.lab.example.org/", event: "publish" })).status).toBe(200);
    expect((await put(DOI, { url: "https://example.org/1" })).status).toBe(200);
  });
});

describe("the handle", () => {
  test("is registered after the response, and leads to the URL; hidden DOIs still resolve", async () => {
    expect((await put(DOI, { ...complete, event: "publish" })).attributes.registered).toBeNull();
    await expect.poll(async () => (await call("GET", `/dois/${DOI}`)).attributes.registered).toMatch(/^\d{4}-/);
    await put(DOI, { event: "hide" });
    expect((await call("GET", `/resolve/${DOI}`)).headers.get("location")).toBe(complete.url);
    await put(DOI, { url: "https://data.example.org/2" });
    await expect
      .poll(async () => (await call("GET", `/resolve/${DOI}`)).headers.get("location"))
      .toBe("https://data.example.org/2");
  });

  test("of drafts, and of DOIs whose registration failed, does not exist", async () => {
    await put(DOI, complete);
    server.addFault({ fault: { registration: "never" } });
    await put("10.5072/never1", { ...complete, event: "publish" });
    await sleep(30);
    expect((await call("GET", "/dois/10.5072/never1")).attributes).toMatchObject({
      state: "findable",
      registered: null,
    });
    for (const doi of [DOI, "10.5072/never1"]) expect((await call("GET", `/resolve/${doi}`)).status).toBe(404);
  });
});

describe("accounts", () => {
  test("wrong, missing and foreign credentials", async () => {
    expect((await put(DOI, {}, { as: null })).status).toBe(401);
    expect((await put(DOI, {}, { as: { ...account(), password: "wrong" } })).status).toBe(401);
    expect((await put("10.9999/abc", {})).status).toBe(403);
    server.put({ ...(await record()), doi: "10.5072/theirs", repository: "test.other" });
    expect((await put("10.5072/theirs", {})).status).toBe(403);
    expect((await call("DELETE", "/dois/10.5072/theirs")).status).toBe(403);
    const [mine] = server.accounts;
    if (mine !== undefined) mine.password = "revoked";
    expect((await put(DOI, {})).status).toBe(401);
  });

  test("others see findable DOIs alone", async () => {
    await put(DOI, { ...complete, event: "register" });
    expect((await call("GET", `/dois/${DOI}`, { as: null })).status).toBe(404);
    expect((await call("GET", `/dois/${DOI}`, { as: other })).status).toBe(404);
    await put(DOI, { event: "publish" });
    expect((await call("GET", `/dois/${DOI}`, { as: null })).status).toBe(200);
  });

  test("the repository states its domains and prefixes", async () => {
    const { json } = await call("GET", "/repositories/test.repo");
    expect(json.data.attributes.domains).toBe("data.example.org,*.lab.example.org");
    expect(json.data.relationships.prefixes.data).toEqual([{ id: "10.5072", type: "prefixes" }]);
    expect((await call("GET", "/repositories/test.other")).status).toBe(403);
  });

  async function record() {
    await put("10.5072/some", {});
    const found = server.dois.get("10.5072/some");
    if (found === undefined) throw new Error("The DOI was not created");
    return found;
  }
});

test("POST creates a DOI once, or one with a generated suffix", async () => {
  const post = (attributes: object) => call("POST", "/dois", { body: { data: { type: "dois", attributes } } });
  expect((await post({ doi: DOI })).status).toBe(201);
  const taken = await post({ doi: DOI });
  expect(taken).toMatchObject({ status: 422, json: { errors: [{ title: "This DOI has already been taken" }] } });
  expect((await post({ prefix: "10.5072" })).attributes.doi).toMatch(/^10\.5072\/[0-9a-f]{10}$/);
  expect((await post({})).status).toBe(422);
});

test.each(["{", "[]", '{"data":{"type":"works","attributes":{}}}', "null"])("the body %s is refused", async (body) => {
  expect((await call("PUT", `/dois/${DOI}`, { body })).status).toBe(400);
});

test("publisher and affiliations are names unless the request asks for more", async () => {
  await put(DOI, complete);
  const brief = (await call("GET", `/dois/${DOI}`)).attributes;
  expect([brief.publisher, brief.creators[0].affiliation]).toEqual(["Accession", ["Brown University"]]);
  const whole = (await call("GET", `/dois/${DOI}`, { query: "?publisher=true&affiliation=true" })).attributes;
  expect([whole.publisher, whole.creators]).toEqual([complete.publisher, complete.creators]);
});

test("all DOIs of an account are listed page by page", async () => {
  for (let index = 0; index < 7; index += 1) await put(`10.5072/list${index}`, {});
  const found: string[] = [];
  let next: string | undefined = `${server.url}/dois?client-id=test.repo&prefix=10.5072&page[cursor]=1&page[size]=3`;
  while (next !== undefined) {
    const { json } = await call("GET", next.slice(server.url.length));
    found.push(...json.data.map(({ id }: { id: string }) => id));
    next = json.links.next;
  }
  expect(found).toEqual(Array.from({ length: 7 }, (_, index) => `10.5072/list${index}`));
});

test("requests beyond the limit are refused", async () => {
  await server.close();
  server = await startDataciteServer({ accounts: [account()], limit: { requests: 3, windowMs: 60_000 } });
  for (const status of [201, 200, 200]) expect((await put(DOI, {})).status).toBe(status);
  const refused = await put(DOI, {});
  expect([refused.status, refused.json.errors[0].status]).toEqual([429, "429"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("each window of time has the limit", () => {
  const limit = new RateLimit({ requests: 2, windowMs: 1_000 });
  const at = (...times: number[]) => times.map((now) => limit.exceeded(now));
  expect(at(5_000, 5_100, 5_200, 5_999, 6_000, 6_001, 6_002)).toEqual([
    undefined,
    undefined,
    1,
    1,
    undefined,
    undefined,
    1,
  ]);
});

describe("faults", () => {
  test("a time-out after the commit, and one before", async () => {
    server.addFault({ match: { method: "PUT", doi: DOI }, fault: { closeAfter: true } });
    await expect(put(DOI, { ...complete, event: "publish" })).rejects.toThrow();
    expect((await call("GET", `/dois/${DOI}`)).attributes.state).toBe("findable");
    server.addFault({ fault: { closeBefore: true } });
    await expect(put("10.5072/before", {})).rejects.toThrow();
    expect(server.dois.has("10.5072/before")).toBe(false);
    server.addFault({ fault: { hangAfter: true } });
    const hanging = fetch(`${server.url}/dois/10.5072/hangs`, {
      method: "PUT",
      body: '{"data":{"type":"dois"}}',
      headers: { authorization: `Basic ${btoa("test.repo:secret:with-colon")}` },
      signal: AbortSignal.timeout(200),
    });
    await expect(hanging).rejects.toThrow();
    expect(server.dois.has("10.5072/hangs")).toBe(true);
  });

  test("other responses, for as many requests as wanted", async () => {
    server.addFault({ times: 2, fault: { status: 503, body: "<html>", headers: { "retry-after": "1" } } });
    server.addFault({ fault: { status: 409 } });
    expect([(await put(DOI, {})).status, (await put(DOI, {})).status]).toEqual([503, 503]);
    expect((await put(DOI, {})).json.errors[0].status).toBe("409");
    const remove = server.addFault({ fault: { status: 500 } });
    remove();
    expect((await put(DOI, {})).status).toBe(201);
    expect(server.requests.map(({ status }) => status)).toEqual([503, 503, 409, 201]);
  });

  test("an event that is ignored, and a response that says otherwise", async () => {
    server.addFault({ fault: { ignoreEvent: true } });
    expect((await put(DOI, { ...complete, event: "publish" })).attributes.state).toBe("draft");
    server.addFault({
      match: { method: "GET" },
      fault: { rewrite: (attributes) => ({ ...attributes, state: "findable" }) },
    });
    expect((await call("GET", `/dois/${DOI}`)).attributes.state).toBe("findable");
    expect((await call("GET", `/dois/${DOI}`)).attributes.state).toBe("draft");
  });

  test("a body without end", async () => {
    server.addFault({ fault: { endless: true } });
    const answer = await fetch(`${server.url}/dois/${DOI}`);
    const reader = answer.body?.getReader();
    let bytes = 0;
    while (bytes < 1_000_000) bytes += (await reader?.read())?.value?.length ?? 1_000_000;
    await reader?.cancel();
    expect(bytes).toBeGreaterThanOrEqual(1_000_000);
  });
});
