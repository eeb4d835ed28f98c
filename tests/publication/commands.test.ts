import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs } from "../support/api/publications.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

vi.setConfig({ testTimeout: 120_000 });
let s3: S3Server;
let service: TestService;
let ada: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
}, 60_000);
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const run = (token: string, ...args: string[]) =>
  runCommand([...args, ...(args[0] === "receipt" ? [] : ["--json"])], service.data, {
    env: { ACCESSION_URL: service.url, ACCESSION_TOKEN: token },
  });

// The commands of docs/how-to/curation.md, with the ids of this dataset.
test("a dataset is reviewed and published from the command line, and its record is verified offline", async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const asked = await run(ada, "publish", dataset);
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain("agreement must be accepted");
  const [{ sha256 }] = (await service.api.get("/deposit-agreement")).json;
  const requested = await run(ada, "publish", dataset, "--accept-agreement", sha256, "--later", "--comment", "Hello");
  expect([requested.code, requested.lines[0].state]).toEqual([0, "in_review"]);

  const queue = await run(cleo, "review", "list", "--queue", "new");
  expect(queue.lines).toMatchObject([{ dataset, state: "in_review", owner: "ada", waitingFor: "curator" }]);
  await run(cleo, "review", "assign", dataset, "--curator", "cleo");
  expect((await run(cleo, "review", "list", "--queue", "new")).lines).toEqual([]);
  expect((await run(cleo, "review", "list", "--queue", "mine")).lines).toHaveLength(1);
  expect((await run(ada, "review", "list")).lines).toHaveLength(1);
  const commented = await run(cleo, "review", "comment", dataset, "Units?", "--file", "data/plots/a.csv");
  expect(commented.lines[0].history.at(-1)).toMatchObject({ comment: "Units?", place: { file: "data/plots/a.csv" } });
  const early = await run(ada, "publish", dataset, "--accept-agreement", sha256);
  expect(early.code).toBe(1);
  expect(early.stderr).toMatch(/not possible in the state “in_review”/);
  expect((await run(ada, "review", "approve", dataset)).code).toBe(1);
  expect((await run(cleo, "review", "approve", dataset, "--expect", "p1.1.1")).stderr).toMatch(
    /changed in the meantime/,
  );
  expect((await run(cleo, "review", "approve", dataset, "--comment", "Fine")).lines[0].state).toBe("approved");
  const published = await run(ada, "publish", dataset, "--wait");
  expect([published.code, published.lines[0]?.state]).toEqual([0, "published"]);
  const shown = await run(cleo, "review", "show", dataset);
  expect(shown.lines[0].history.map(({ action }: { action: string }) => action)).toContain("published");

  const logs = join(service.archive, "ocfl", objectFolder(`urn:uuid:${dataset}`), "logs", "publication");
  const [name = ""] = await readdir(logs);
  const verified = await run("", "receipt", "verify", join(logs, name), "--archive", service.archive);
  expect(verified.lines[0]).toMatchObject({ ok: true, signer: "established", record: { state: "published" } });
  const forged = join(service.data, "forged.jws");
  const [head = "", payload = "", signature = ""] = (await readFile(join(logs, name), "utf8")).split(".");
  const changed = JSON.parse(Buffer.from(payload, "base64url").toString());
  const body = Buffer.from(JSON.stringify({ ...changed, access: "restricted" })).toString("base64url");
  await writeFile(forged, [head, body, signature].join("."));
  const refused = await run("", "receipt", "verify", forged, "--archive", service.archive);
  expect([refused.code, refused.lines[0].ok]).toEqual([1, false]);

  const access = ["--access", "embargoed", "--until", "2099-01-01", "--reason", "Article"];
  expect((await run(ada, "review", "access", dataset, ...access)).lines[0]).toMatchObject({ filesOpen: false });
  const withdrawn = await run(cleo, "review", "withdraw", dataset, "--reason", "Error");
  expect(withdrawn.lines[0].state).toBe("withdrawn");
});
