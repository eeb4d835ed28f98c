import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs } from "../support/api/publications.ts";
import { runCommand, runProgram, textOfCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  datacite = account.server;
  service = await startTestService({ ACCESSION_PUBLICATION: "review", ...account.settings() });
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});
afterEach(() => account.reset());

const env = () => ({ ACCESSION_URL: service.url });
const methodsSince = (since: number) =>
  datacite.requests
    .slice(since)
    .map(({ method }) => method)
    .toSorted();

/** Runs the command. @returns its exit code, and the status of each step with its problem */
async function tested() {
  const { code, lines } = await runCommand(["doi", "test", "--json"], service.data, { env: env() });
  const [{ ok, steps }] = lines as [{ ok: boolean; steps: Step[] }];
  expect(ok).toBe(code === 0);
  return { code, steps: steps.map(({ step, status, problem }) => [step, problem?.code ?? status]), all: steps };
}

interface Step {
  step: string;
  status: string;
  problem: { code: string; message: string; action: string } | null;
}

/** Restarts the service after a change of its database. */
async function restartAfter(change: ReturnType<typeof sql>): Promise<void> {
  await service.restart(async () => {
    const { queries, close } = await service.database();
    await change.execute(queries);
    await close();
  });
}

test("the test of the account creates one draft and deletes it, and each step says that it is ok", async () => {
  const since = datacite.requests.length;
  const text = await textOfCommand(["doi", "test"], service.data, env());
  expect(methodsSince(since)).toEqual(["DELETE", "GET", "POST"]);
  expect(datacite.dois.size).toBe(0);
  expect(text.split("\n").filter((line) => /^✓ .*: ok$/.test(line))).toHaveLength(5);
  expect(text).toContain("The service can register DOIs");
  const { code, steps } = await tested();
  expect(code).toBe(0);
  expect(steps.map(([, status]) => status)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
});

test("a service that starts tests the account with one draft, and later checks create none", async () => {
  const since = datacite.requests.length;
  // Both the hourly check and the test at the start are due.
  await restartAfter(sql`update doi_account set checked_at = now() - interval '2 hours'`);
  await vi.waitUntil(() => methodsSince(since).includes("DELETE"));
  await service.settled();
  expect(methodsSince(since).filter((method) => method === "POST")).toHaveLength(1);
  expect(datacite.dois.size).toBe(0);
});

test("wrong credentials, a missing domain and a missing prefix are problems with the next step", async () => {
  const own = datacite.accounts[0];
  if (own === undefined) throw new Error("The server has no account");
  own.domains = ["data.example.org"];
  const noDomain = await tested();
  expect([noDomain.code, ...noDomain.steps]).toEqual([
    1,
    ["credentials", "ok"],
    ["domain", "datacite_domain"],
    ["prefix", "ok"],
    ["create_draft", "ok"],
    ["delete_draft", "ok"],
  ]);
  expect(noDomain.all[1]?.problem?.message).toContain("127.0.0.1");

  account.reset();
  own.prefixes = ["10.1234"];
  const noPrefix = await tested();
  expect([noPrefix.code, ...noPrefix.steps.slice(2)]).toEqual([
    1,
    ["prefix", "datacite_forbidden"],
    ["create_draft", "skipped"],
    ["delete_draft", "skipped"],
  ]);
  expect(noPrefix.all[2]?.problem?.message).toContain("10.1234");

  account.reset();
  own.password = "another";
  const { code, steps } = await tested();
  expect([code, ...steps]).toEqual([
    1,
    ["credentials", "datacite_credentials"],
    ["domain", "skipped"],
    ["prefix", "skipped"],
    ["create_draft", "skipped"],
    ["delete_draft", "skipped"],
  ]);
  const { stdout: text } = await runProgram(["doi", "test", "--no-json"], { env: env() });
  expect(text).toMatch(/✗ DataCite accepts the account and its password: problem/);
  expect(text.replace(/\s+/g, " ")).toContain("Correct ACCESSION_DATACITE_REPOSITORY");
  expect(datacite.dois.size).toBe(0);
});

test("a draft that DataCite refuses is a problem for datasets until a later check can create one", async () => {
  const { dataset } = await archiveAs(service, s3, undefined);
  const found = async () => {
    const { checks } = (await service.api.get(`/dataset/${dataset}/publication`)).json;
    return checks.find(({ code }: { code: string }) => code === "doi_account");
  };
  datacite.addFault({ match: { method: "POST" }, times: 2, fault: { status: 403 } });
  expect((await tested()).steps.slice(3)).toEqual([
    ["create_draft", "datacite_forbidden"],
    ["delete_draft", "skipped"],
  ]);
  expect(await found()).toMatchObject({ severity: "warning", nextStep: expect.stringContaining("PREFIX") });

  datacite.clearFaults();
  const since = datacite.requests.length;
  await restartAfter(sql`update doi_account set checked_at = now() - interval '1 minute'`);
  await vi.waitUntil(async () => (await found()) === undefined);
  expect(methodsSince(since)).toContain("POST");
  await vi.waitUntil(() => datacite.dois.size === 0);
});

test("a draft that was not deleted is named, and deleted later", async () => {
  datacite.addFault({ match: { method: "DELETE" }, times: 1_000, fault: { status: 503 } });
  const { code, steps, all } = await tested();
  const [left] = [...datacite.dois.keys()];
  expect([code, steps.at(-1)]).toEqual([1, ["delete_draft", "datacite_draft_left"]]);
  expect(left).toBeDefined();
  expect(all.at(-1)?.problem?.message).toContain(left);
  expect(datacite.dois.get(left ?? "")?.state).toBe("draft");
  datacite.clearFaults();
  await restartAfter(sql`update doi set next_at = now() where next_at is not null`);
  await vi.waitUntil(() => datacite.dois.size === 0);
});

test("a draft whose creation had no answer is deleted later", { tags: "extended" }, async () => {
  datacite.addFault({ match: { method: "POST" }, times: 1, fault: { closeAfter: true } });
  expect((await tested()).steps.slice(3)).toEqual([
    ["create_draft", "datacite_unreachable"],
    ["delete_draft", "skipped"],
  ]);
  expect(datacite.dois.size).toBe(1);
  datacite.clearFaults();
  await restartAfter(sql`update doi set next_at = now() where next_at is not null`);
  await vi.waitUntil(() => datacite.dois.size === 0);
});

test("a DOI that exists is not deleted by the test", { tags: "extended" }, async () => {
  const taken = { errors: [{ source: "doi", title: "This DOI has already been taken" }] };
  datacite.addFault({ match: { method: "POST" }, times: 1, fault: { status: 422, body: JSON.stringify(taken) } });
  const since = datacite.requests.length;
  expect((await tested()).code).toBe(0);
  const deleted = datacite.requests.slice(since).filter(({ method }) => method === "DELETE");
  expect(deleted).toHaveLength(1);
});

test("without an account, the test says how to get one", { tags: "extended" }, async () => {
  await using other = await startTestService({ ACCESSION_PUBLICATION: "review" });
  const { status, json } = await other.api.post("/doi/test", {});
  expect([status, json.code]).toEqual([409, "doi_off"]);
});
