import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs } from "../support/api/publications.ts";
import { runCommand, runProgram } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const AGREEMENT = "The owner agrees.\n\n1. The data are mine.\n2. No \x1b[31mred\x07 text.\n";
const sha256 = createHash("sha256").update(AGREEMENT).digest("hex");
let s3: S3Server;
let service: TestService;
let folder: string;
let ada: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), "accession-agreement-"));
  const agreement = join(folder, "agreement.en.md");
  await writeFile(agreement, AGREEMENT);
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ACCESSION_DEPOSIT_AGREEMENT: agreement,
  });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
  await rm(folder, { recursive: true });
});

const envOf = (token: string) => ({ ACCESSION_URL: service.url, ACCESSION_TOKEN: token });
const run = (token: string, ...args: string[]) => runCommand([...args, "--json"], service.data, { env: envOf(token) });

/** Approves the present state. */
async function approve(dataset: string): Promise<void> {
  const [{ etag }] = (await run(cleo, "review", "show", dataset)).lines;
  expect((await run(cleo, "review", "approve", dataset, "--expect", etag)).code).toBe(0);
}

/** What a command prints for people, on both streams, and its exit code. */
async function inWords(token: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const env = { ACCESSION_DATA: service.data, ...envOf(token) };
  const { code, stdout, stderr } = await runProgram([...args, "--no-json"], { env });
  return { code, text: stdout + stderr };
}

test("without its digest, the deposit agreement is printed in lines for people, and with its digest for programs", async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const printed = await inWords(ada, "publish", dataset);
  expect(printed.code).toBe(2);
  expect(printed.text).toContain("The owner agrees.\n\n1. The data are mine.\n2. No \\x1b[31mred\\x07 text.\n");
  expect(printed.text).toContain(`--accept-agreement ${sha256}`);
  const listed = await run(ada, "publish", dataset);
  expect(listed.code).toBe(2);
  expect(listed.lines).toEqual([{ language: "en", sha256, text: AGREEMENT }]);
});

test("the command publish answers by the state of the publication and by who asks", { tags: "extended" }, async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const accept = ["--accept-agreement", sha256];
  const wrong = ["0".repeat(64), "0"].map((digest) => inWords(ada, "publish", dataset, "--accept-agreement", digest));
  for (const { code, text } of await Promise.all(wrong)) {
    expect(code).toBe(1);
    expect(text).toContain("The agreement has changed, or the digest is wrong.");
    expect(text).not.toContain("must be true");
  }
  const foreign = await inWords(cleo, "publish", dataset, ...accept);
  expect(foreign.code).toBe(1);
  expect(foreign.text).toContain("Only the owner can publish.");

  const asked = ["publish", dataset, ...accept, "--later", "--comment", "Hello"];
  expect((await run(ada, ...asked)).code).toBe(0);
  expect((await run(ada, ...asked)).code).toBe(0);
  const early = await inWords(ada, "publish", dataset);
  expect(early.code).toBe(1);
  expect(early.text).toContain("In review: a curator must act.");
  expect(early.text).not.toContain("agree");
  await approve(dataset);
  expect((await inWords(cleo, "publish", dataset)).text).toContain("Only the owner can publish.");
  expect((await run(ada, "publish", dataset, "--wait")).code).toBe(0);

  const closing = await inWords(ada, "publish", dataset, ...accept, "--access", "restricted", "--reason", "x");
  expect(closing.code).toBe(1);
  expect(closing.text).toContain("To change access, use “accession review access”");
  expect((await run(ada, "publish", dataset, "--comment", "Hello")).code).toBe(1);
  expect((await run(ada, "publish", dataset, "--access", "open")).lines[0]).toMatchObject({ access: "open" });
});

test("what the review commands print for people names the dataset, who acts, and the commands that are possible", {
  tags: "extended",
}, async () => {
  const { dataset } = await archiveAs(service, s3, ada, { metadata: { ...goodMetadata, title: "Roots in dry soil" } });
  await run(ada, "publish", dataset, "--accept-agreement", sha256, "--later");
  await run(cleo, "review", "assign", dataset, "--curator", "cleo");
  const [{ history }] = (await run(cleo, "review", "comment", dataset, "Which unit?")).lines;
  const asked = history.at(-1).id;
  await run(ada, "review", "comment", dataset, "Grams", "--answers", String(asked));
  const { text } = await inWords(cleo, "review", "show", dataset);
  expect(text).toMatch(/^Roots in dry soil\n {2}owner +ada\n/);
  expect(text).toMatch(/waiting for +a curator\n {2}curator +cleo\n/);
  expect(text).toContain(`comment in reply to ${asked}: Grams`);
  expect(text).toMatch(/you can +accession review assign, accession review comment, .*accession review approve/);
  const listed = (await inWords(cleo, "review", "list", "--queue", "mine")).text;
  expect(listed).toMatch(/waiting: \d+ d, owner: ada, curator: cleo, waiting for: curator/);

  const foreign = await inWords(cleo, "doi", "reserve", dataset);
  expect([foreign.code, foreign.text]).toEqual([1, expect.stringContaining("Only the owner can reserve a DOI.")]);
  expect(foreign.text).not.toContain("for a role");
  const early = await inWords(cleo, "review", "withdraw", dataset, "--reason", "x");
  expect(early.text).toContain("You can use: accession review assign");
  expect(early.text).not.toContain("the answer lists");

  await run(ada, "review", "link", "create", dataset);
  const links = (await inWords(ada, "review", "link", "list", dataset)).text;
  expect(links).toMatch(/view: anonymous, expires: \d{4}-\d\d-\d\d .*created by: ada/);
});

test("the source is shown to the public only if the owner asks for it before publication", async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const shown = ["publish", dataset, "--accept-agreement", sha256, "--show-source"];
  expect((await inWords(ada, ...shown)).text).toContain("source      shown to the public");
  await approve(dataset);
  await run(ada, "publish", dataset, "--wait");
  expect((await run(ada, "publish", dataset, "--show-source")).code).toBe(0);
  const other = await archiveAs(service, s3, ada);
  await run(ada, "publish", other.dataset, "--accept-agreement", sha256);
  await approve(other.dataset);
  await run(ada, "publish", other.dataset, "--wait");
  const late = await inWords(ada, "publish", other.dataset, "--show-source");
  expect([late.code, late.text]).toEqual([1, expect.stringContaining("--show-source has no effect")]);
});

test("the checks that prevent a publication are printed", async () => {
  const { license: _, ...metadata } = goodMetadata;
  const { dataset } = await archiveAs(service, s3, ada, { metadata });
  const refused = await inWords(ada, "publish", dataset, "--accept-agreement", sha256);
  expect(refused.code).toBe(1);
  expect(refused.text).toMatch(/✗ .*licence/);
  expect(refused.text).not.toContain("the answer lists");
});

test("a link that is created instead of a grant is announced, with its recipient", { tags: "extended" }, async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const closed = ["--access", "restricted", "--reason", "Personal data"];
  await run(ada, "publish", dataset, "--accept-agreement", sha256, ...closed);
  await approve(dataset);
  await run(ada, "publish", dataset, "--wait");
  const output = join(folder, "data.zip");
  const refused = await inWords(cleo, "access", "ask", dataset, "--reason", "x");
  expect(refused.code).toBe(1);
  const outside = await inWords("", "dataset", "get", dataset, "data/", "--output", output);
  expect(outside.text).toMatch(/ask for access with “accession access ask”, or at http\S+\/access/i);
  expect(outside.text).not.toContain("requestAccess");

  const person = ["--name", "Mia", "--email", "mia@example.org"];
  expect((await run("", "access", "ask", dataset, "--reason", "Teaching", ...person)).code).toBe(0);
  const [{ id }] = (await run(ada, "access", "requests", dataset)).lines;
  expect((await inWords(ada, "access", "requests", dataset)).text).toMatch(/since: \d{4}-\d\d-\d\d /);
  const answered = await inWords(ada, "access", "answer", dataset, id, "--grant");
  expect(answered.text).toContain("a link was created instead");
  expect(answered.text).toContain("Send it to mia@example.org.");
  await run(ada, "access", "grant", dataset, "--account", "eve");
  expect((await inWords(ada, "access", "list", dataset)).text).toMatch(/eve .*no end/);
});
