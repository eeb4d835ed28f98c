import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient, type PublicationJson } from "../support/api/publications.ts";
import { AUDIENCE, startOidcProvider } from "../support/identity/oidc-provider.ts";
import { runCommand, textOfCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let tokens: Tokens;
let ada: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const { embargoDate: _, ...metadata } = goodMetadata as { embargoDate?: string };
const asked = { agreement: true, access: "open", publishOnApproval: false };

/** A dataset in review. */
async function requested(token: string, { of = service, title = "Roots", request = asked as object } = {}) {
  const { dataset } = await archiveAs(of, s3, token, { metadata: { ...metadata, title } });
  const one = new PublicationClient(of, dataset);
  await one.done(token, "request", request);
  return one;
}

async function listed(token: string, query = "", of = service): Promise<PublicationJson[]> {
  const answer = await of.api.get(`/publication${query}`, bearer(token));
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json;
}

const datasetsIn = async (...list: Parameters<typeof listed>) =>
  (await listed(...list)).map(({ dataset }: PublicationJson) => dataset);

describe("a curator who has lost the role", () => {
  test("returns the datasets to the queue, and the entries say so", async () => {
    const carl = await tokens.create("carl", "curator");
    const one = await requested(ada);
    await one.done(cleo, "assign", { curator: "carl" });
    expect(await datasetsIn(cleo, "?queue=new")).not.toContain(one.dataset);
    expect((await one.get(cleo)).json).toMatchObject({ assignee: "carl", assigneeIsCurator: true });
    expect((await tokens.revoke(carl.id)).status).toBe(204);
    const entry = (await listed(cleo, "?queue=new")).find(({ dataset }) => dataset === one.dataset);
    expect(entry).toMatchObject({ assignee: "carl", assigneeIsCurator: false });
    expect((await one.get(ada)).json).toMatchObject({ assignee: "carl", assigneeIsCurator: false });
    // A curator takes it.
    await one.done(cleo, "assign", { curator: "cleo" });
    expect(await datasetsIn(cleo, "?queue=new")).not.toContain(one.dataset);
    expect(await datasetsIn(cleo, "?queue=mine")).toContain(one.dataset);
  });

  test("is one whose last sign-in with the identity provider did not give the role", async () => {
    await using provider = await startOidcProvider();
    const oidc = { ACCESSION_AUTH: "oidc", ACCESSION_OIDC_ISSUER: provider.issuer, ACCESSION_OIDC_AUDIENCE: AUDIENCE };
    const signedIn = await startTestService({ ...oidc, ACCESSION_PUBLICATION: "review" });
    try {
      const as = (sub: string, role: string) => provider.sign({ sub, roles: [role] });
      const olga = await as("olga", "submitter");
      const first = await as("cleo", "curator");
      const name = `${provider.issuer}#carl`;
      const one = await requested(olga, { of: signedIn });
      const curators = async () => {
        const { json } = await signedIn.api.get("/curator", bearer(first));
        return json.map(({ owner }: { owner: string }) => owner.split("#")[1]);
      };
      // An account that has never signed in may be a misspelt one.
      const unknown = await one.act(first, "assign", { curator: name });
      expect([unknown.status, unknown.json.code]).toEqual([422, "invalid_request"]);
      expect(unknown.json.errors).toMatchObject([{ pointer: "/curator", code: "wrong_value" }]);
      expect(await curators()).toEqual(["cleo"]);

      await signedIn.api.get("/caller", bearer(await as("carl", "curator")));
      expect(await curators()).toEqual(["carl", "cleo"]);
      await one.done(first, "assign", { curator: name });
      expect(await datasetsIn(first, "?queue=new", signedIn)).toEqual([]);
      await signedIn.api.get("/caller", bearer(await as("carl", "submitter")));
      expect(await curators()).toEqual(["cleo"]);
      expect(await listed(first, "?queue=new", signedIn)).toMatchObject([
        { dataset: one.dataset, assignee: name, assigneeIsCurator: false },
      ]);
      // The role can return.
      await signedIn.api.get("/caller", bearer(await as("carl", "admin")));
      expect(await datasetsIn(first, "?queue=new", signedIn)).toEqual([]);

      // The provider deletes the account, and the service does not learn of it: an admin removes it.
      const remove = async (token: string, owner = name) => {
        const path = `/curator?owner=${encodeURIComponent(owner)}`;
        return (await signedIn.api.send(path, { method: "DELETE", headers: bearer(token) })).status;
      };
      const admin = await as("root", "admin");
      expect([await remove(first), await remove(admin), await remove(admin)]).toEqual([403, 204, 404]);
      expect(await curators()).toEqual(["cleo", "root"]);
      expect(await datasetsIn(first, "?queue=new", signedIn)).toEqual([one.dataset]);
      const env = { ACCESSION_URL: signedIn.url, ACCESSION_TOKEN: admin };
      const ran = await runCommand(
        ["review", "curators", "--remove", `${provider.issuer}#cleo`, "--json"],
        signedIn.data,
        { env },
      );
      expect([ran.code, ran.lines]).toEqual([0, [{ owner: `${provider.issuer}#cleo`, removed: true }]]);
    } finally {
      await signedIn.stop();
    }
  });
});

describe("the queue", () => {
  test("is searched by title, owner, id and DOI, and by nothing that the caller does not see", async () => {
    const account = await openDatacite();
    const own = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review", ...account.settings() });
    try {
      const issued = await Tokens.open(own);
      const owner = (await issued.create("Ozan", "submitter")).token;
      const other = (await issued.create("bob", "submitter")).token;
      const curator = (await issued.create("cleo", "curator")).token;
      const one = await requested(owner, { of: own, title: "Wurzelläufe in Dürre" });
      await requested(other, { of: own, title: "Soil moisture" });
      await one.done(owner, "reserve-doi");
      // DataCite confirms it later.
      const doi = (await vi.waitUntil(async () => (await one.get(owner)).json.doi)) as string;
      for (const q of [
        "wurzellau",
        "DURRE",
        "zan",
        one.dataset,
        `https://doi.org/${doi}`,
        doi.replace("10.5072/", ""),
      ]) {
        expect([q, await datasetsIn(curator, `?q=${encodeURIComponent(q)}`, own)]).toEqual([q, [one.dataset]]);
      }
      expect(await datasetsIn(curator, "?q=nowhere", own)).toEqual([]);
      expect(await datasetsIn(other, "?q=durre", own)).toEqual([]);
      expect(await datasetsIn(other, "?q=moisture", own)).toHaveLength(1);
    } finally {
      await own.stop();
      await account.close();
    }
  });

  test("keeps its order over pages, with every sort", async () => {
    const dan = (await tokens.create("dan", "submitter")).token;
    const titles = ["beta", "Alpha", "alpha", "Äpfel", "gamma"];
    const datasets: string[] = [];
    for (const title of titles) datasets.push((await requested(dan, { title })).dataset);
    const byTitle = [["Alpha", "alpha"], ["Äpfel"], ["beta"], ["gamma"]];
    const walked = async (sort: string) => {
      const found: PublicationJson[] = [];
      let path: string | undefined = `/publication?owner=dan&limit=2&sort=${sort}`;
      while (path !== undefined) {
        const { json, headers } = await service.api.get(path, bearer(cleo));
        found.push(...json);
        path = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
      }
      return found;
    };
    const since = (await walked("since")).map(({ dataset }) => dataset);
    expect(since).toEqual(datasets);
    expect((await walked("-since")).map(({ dataset }) => dataset)).toEqual(datasets.toReversed());
    const sorted = (await walked("title")).map(({ title }) => title);
    expect(byTitle.flat().toSorted()).toEqual(sorted.toSorted());
    expect([new Set(sorted.slice(0, 2)), ...sorted.slice(2)]).toEqual([new Set(byTitle[0]), "Äpfel", "beta", "gamma"]);
    expect((await walked("-title")).map(({ title }) => title)).toEqual(sorted.toReversed());
    // A cursor continues only the list that it came from.
    const { headers } = await service.api.get("/publication?owner=dan&limit=2&sort=title", bearer(cleo));
    const [, cursor] = /[?&]cursor=([^&>]+)/.exec(headers.get("link") ?? "") ?? [];
    const wrong = await service.api.get(`/publication?owner=dan&sort=-title&cursor=${cursor}`, bearer(cleo));
    expect([wrong.status, wrong.json.code]).toEqual([400, "bad_request"]);
  });

  test("shows the checks, the embargo and the comments of a dataset", async () => {
    const request = { ...asked, access: "embargoed", embargoDate: "2099-05-01", reason: "Article" };
    const one = await requested(ada, { request, title: "With an embargo" });
    const entry = async () => (await listed(cleo, "?q=embargo")).find(({ dataset }) => dataset === one.dataset);
    const found = ({ checks }: PublicationJson) => ({
      errors: checks.filter(({ severity }: PublicationJson) => severity === "error").length,
      warnings: checks.filter(({ severity }: PublicationJson) => severity === "warning").length,
    });
    const first = await entry();
    expect(first).toMatchObject({ access: "embargoed", embargoDate: "2099-05-01", isOverdue: false });
    expect(first).toMatchObject({ comments: { total: 0, resolved: 0 }, assigneeIsCurator: null });
    expect(first.checks).toEqual(found((await one.get(cleo)).json));
    const { history } = await one.done(cleo, "comment", { comment: "Which depth?" });
    expect(await entry()).toMatchObject({ comments: { total: 1, resolved: 0 }, lastCommentAt: history.at(-1).at });
    await one.done(cleo, "resolve", { entry: history.at(-1).id });
    expect(await entry()).toMatchObject({ comments: { total: 1, resolved: 1 }, lastCommentAt: history.at(-1).at });
    await one.done(cleo, "resolve", { entry: history.at(-1).id, resolved: false });
    expect(await entry()).toMatchObject({ comments: { total: 1, resolved: 0 } });
    // An edit that removes the licence: the view runs the checks again, and the list names what it found.
    const edited = await service.api.get(`/dataset/${one.dataset}/metadata`, bearer(cleo));
    const { license: _, ...rest } = metadata as { license?: unknown };
    const put = await service.api.send(`/dataset/${one.dataset}/metadata`, {
      method: "PUT",
      headers: { ...bearer(cleo), "if-match": edited.headers.get("etag") ?? "", "content-type": "application/json" },
      body: JSON.stringify({ metadata: { ...rest, title: "With an embargo" } }),
    });
    expect(put.status, put.text).toBeLessThan(300);
    const seen = found((await one.get(cleo)).json);
    expect(seen.errors).toBe(1);
    expect((await entry()).checks).toEqual(seen);
  });
});

test("the parts of the queue are counted, with datasets that somebody asks for, for owners and curators", async () => {
  const eve = (await tokens.create("eve", "submitter")).token;
  const counts = async (token: string) => (await service.api.get("/publication-queue", bearer(token))).json;
  const none = { new: 0, mine: 0, author: 0, approved: 0, access: 0, failing: 0 };
  const noneOwn = { author: 0, approved: 0, access: 0 };
  expect(await counts(eve)).toEqual({ ...none, reviewing: 0, own: noneOwn });
  const before = await counts(cleo);
  const [waits, returned, accepted, closed] = [
    await requested(eve, { title: "Waits" }),
    await requested(eve, { title: "Returned" }),
    await requested(eve, { title: "Accepted" }),
    await requested(eve, { title: "Closed", request: { ...asked, access: "restricted", publishOnApproval: true } }),
  ];
  await returned.done(cleo, "assign", { curator: "cleo" });
  await returned.done(cleo, "request-changes", { comment: "Which depth?" });
  await accepted.done(cleo, "approve", { comment: "" });
  await closed.done(cleo, "approve", { comment: "" });
  await closed.until(eve, "published");
  const ask = { reason: "Comparison", name: "Grace Hopper", email: "grace@example.org" };
  for (const email of ["grace@example.org", "grace@example.net"]) {
    const { status } = await service.api.post(`/dataset/${closed.dataset}/access-request`, { ...ask, email });
    expect(status).toBe(202);
  }
  expect(await counts(eve)).toEqual({
    ...{ ...none, new: 1, author: 1, approved: 1, access: 1 },
    ...{ reviewing: 0, own: { author: 1, approved: 1, access: 1 } },
  });
  const seen = await counts(cleo);
  // What is returned to its owner does not wait for its curator.
  expect([seen.own, seen.reviewing]).toEqual([noneOwn, before.reviewing]);
  await waits.done(cleo, "assign", { curator: "cleo" });
  expect((await counts(cleo)).reviewing).toBe(before.reviewing + 1);
  await waits.done(cleo, "assign", { curator: null });
  const grown = Object.fromEntries(Object.keys(none).map((queue) => [queue, seen[queue] - before[queue]]));
  expect(grown).toEqual({ ...none, new: 1, mine: 1, author: 1, approved: 1, access: 1 });
  // Each number is that of the list.
  for (const queue of Object.keys(none)) {
    expect([queue, await datasetsIn(cleo, `?queue=${queue}`)]).toEqual([
      queue,
      expect.objectContaining({ length: seen[queue] }),
    ]);
  }
  expect(await datasetsIn(eve, "?queue=new")).toEqual([waits.dataset]);
  expect(await listed(eve, "?queue=access")).toMatchObject([{ dataset: closed.dataset, accessRequests: 2 }]);
  const env = { ACCESSION_URL: service.url, ACCESSION_TOKEN: eve };
  const printed = await textOfCommand(["review", "queues"], service.data, env);
  expect(printed).toMatch(/new +1\n.*access +1\n/s);

  // Requests need an answer while the files are closed, and until they have one.
  const change = (access: string) => closed.done(eve, "change-access", { access, reason: "Article" });
  await change("open");
  expect([(await counts(eve)).access, await datasetsIn(eve, "?queue=access")]).toEqual([0, []]);
  expect((await listed(eve, `?q=${closed.dataset}`))[0].accessRequests).toBe(0);
  await change("restricted");
  expect((await counts(eve)).access).toBe(1);
  const requests = (await closed.get(eve, "/access-request")).json as PublicationJson[];
  const refuse = async ({ id }: PublicationJson) => {
    const path = `/dataset/${closed.dataset}/access-request/${id}/refuse`;
    expect((await service.api.post(path, { answer: "No" }, bearer(eve))).status).toBe(200);
  };
  await refuse(requests[0]);
  expect((await counts(eve)).access).toBe(1);
  await closed.done(cleo, "withdraw", { reason: "Wrong plots" });
  expect((await counts(eve)).access).toBe(0);
});

test("the list marks a dataset as overdue after the days of the setting, in the command, too", async () => {
  const title = "Overdue roots";
  const [early, due] = [await requested(ada, { title }), await requested(ada, { title })];
  const daysAgo = (days: number, { dataset }: PublicationClient) =>
    sql`update publication set since = since - make_interval(days => ${days}::int) where dataset_id = ${dataset}`;
  await service.restart(
    async () => {
      const { queries, close } = await service.database();
      await daysAgo(2, early).execute(queries);
      await daysAgo(3, due).execute(queries);
      await close();
    },
    { ACCESSION_REVIEW_REMINDER_DAYS: "3" },
  );
  const found = await listed(cleo, "?queue=new&q=overdue");
  expect(found.map(({ dataset, isOverdue }) => [dataset, isOverdue])).toEqual([
    [due.dataset, true],
    [early.dataset, false],
  ]);
  const env = { ACCESSION_URL: service.url, ACCESSION_TOKEN: cleo };
  const printed = await textOfCommand(["review", "list", "--q", "overdue"], service.data, env);
  expect(printed.match(/\d d(, overdue)?/g)).toEqual(["3 d, overdue", "2 d"]);
  // Only what waits for a person is overdue.
  await due.done(cleo, "decline", { comment: "Not a dataset" });
  expect((await listed(cleo, `?q=${due.dataset}`)).map(({ isOverdue }) => isOverdue)).toEqual([false]);
  await service.restart(undefined, { ACCESSION_REVIEW_REMINDER_DAYS: "7" });
});

test("curators complete the operator’s reply templates, from the command line, too, and others do not get them", async () => {
  await using files = await mkdtempDisposable(join(tmpdir(), "replies-"));
  const [en, de] = [join(files.path, "replies.en.md"), join(files.path, "replies.de.md")];
  await writeFile(
    en,
    "# Missing licence\n\nPlease choose a licence.\n\n## Which?\n\nCC BY 4.0.\n\n# README\nAdd one.\n",
  );
  await writeFile(de, "# Lizenz fehlt\nBitte wählen Sie eine Lizenz.\n");
  await service.restart(undefined, { ACCESSION_REPLY_TEMPLATES: `${en},${de}` });
  const licence = "Please choose a licence.\n\n## Which?\n\nCC BY 4.0.";
  expect((await service.api.get("/reply-template", bearer(cleo))).json).toEqual([
    { language: "en", title: "Missing licence", text: licence },
    { language: "en", title: "README", text: "Add one." },
    { language: "de", title: "Lizenz fehlt", text: "Bitte wählen Sie eine Lizenz." },
  ]);
  expect((await service.api.get("/reply-template", bearer(ada))).status).toBe(403);
  expect((await service.api.get("/reply-template")).status).toBe(401);

  const { dataset } = await requested(ada);
  const run = (...args: string[]) =>
    runCommand([...args, "--json"], service.data, { env: { ACCESSION_URL: service.url, ACCESSION_TOKEN: cleo } });
  expect((await run("review", "curators")).lines).toContainEqual({ owner: "cleo", assigned: expect.any(Number) });
  expect((await run("review", "templates")).lines).toHaveLength(3);
  const unknown = await run("review", "comment", dataset, "--template", "Nothing");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("accession review templates")]);
  expect((await run("review", "comment", dataset)).code).toBe(2);
  expect((await run("review", "request-changes", dataset)).code).toBe(2);
  const said = await run("review", "request-changes", dataset, "--template", "Missing licence", "--comment", "Thanks");
  expect(said.lines[0].history.at(-1).comment).toBe(`${licence}\n\nThanks`);
  expect((await run("review", "list", "--q", dataset, "--sort", "-title")).lines).toMatchObject([{ dataset }]);
});
