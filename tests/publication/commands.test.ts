import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs } from "../support/api/publications.ts";
import { runCommand, textOfCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let ada: string;
let bob: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  bob = (await tokens.create("bob", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const run = (token: string, ...args: string[]) =>
  runCommand([...args, ...(args[0] === "receipt" ? [] : ["--json"])], service.data, {
    env: { ACCESSION_URL: service.url, ACCESSION_TOKEN: token },
  });

/** Approves the present state. */
async function approve(dataset: string): Promise<void> {
  const [{ etag }] = (await run(cleo, "review", "show", dataset)).lines;
  expect((await run(cleo, "review", "approve", dataset, "--expect", etag)).code).toBe(0);
}

/** What a command prints for people. */
async function textOf(args: string[], token = ""): Promise<string> {
  return textOfCommand(args, service.data, { ACCESSION_URL: service.url, ACCESSION_TOKEN: token });
}

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
  expect(early.stderr).toContain("In review: a curator must act.");
  expect((await run(cleo, "review", "approve", dataset)).stderr).toContain("--expect");
  expect((await run(ada, "review", "approve", dataset, "--expect", "p1.1.1")).code).toBe(1);
  expect((await run(cleo, "review", "approve", dataset, "--expect", "p1.1.1")).stderr).toMatch(
    /changed in the meantime/,
  );
  const [{ etag }] = (await run(cleo, "review", "show", dataset)).lines;
  expect(await textOf(["review", "show", dataset], cleo)).toContain(`etag        ${etag}\n`);
  const approved = await run(cleo, "review", "approve", dataset, "--expect", etag, "--comment", "Fine");
  expect(approved.lines[0].state).toBe("approved");
  const published = await run(ada, "publish", dataset, "--wait");
  expect([published.code, published.lines[0]?.state]).toEqual([0, "published"]);
  const shown = await run(cleo, "review", "show", dataset);
  expect(shown.lines[0].history.map(({ action }: { action: string }) => action)).toContain("published");

  const logs = join(service.archive, "ocfl", objectFolder(`urn:uuid:${dataset}`), "logs", "publication");
  const [name = ""] = await readdir(logs);
  const verified = await run("", "receipt", "verify", join(logs, name), "--archive", service.archive);
  expect(verified.lines[0]).toMatchObject({ ok: true, signer: "established", record: { state: "published" } });
  // Reviewer links show this digest.
  const printed = await textOf(["receipt", "verify", join(logs, name), "--archive", service.archive]);
  expect(printed).toContain(verified.lines[0].record.digests.inventory.sha512);
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

// The commands of docs/how-to/access.md, with the ids of this dataset.
test("access to closed files is requested, granted and revoked from the command line", {
  tags: "extended",
}, async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const [{ sha256 }] = (await service.api.get("/deposit-agreement")).json;
  const closed = ["--access", "restricted", "--reason", "Personal data"];
  await run(ada, "publish", dataset, "--accept-agreement", sha256, ...closed);
  await approve(dataset);
  await run(ada, "publish", dataset, "--wait");
  const get = (token: string) =>
    runCommand(
      ["dataset", "get", dataset, "data/", "--output", join(service.data, `${token.slice(-8)}.zip`)],
      service.data,
      {
        env: { ACCESSION_URL: service.url, ACCESSION_TOKEN: token },
      },
    );
  const refused = await get(bob);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Ask for access")]);

  expect((await run(bob, "access", "ask", dataset, "--reason", "Teaching")).code).toBe(0);
  // Others than owner and curators see their own requests only.
  expect((await run(bob, "access", "requests", dataset)).lines).toMatchObject([{ reason: "Teaching", state: "open" }]);
  const [{ id }] = (await run(ada, "access", "requests", dataset)).lines;
  expect((await run(ada, "access", "answer", dataset, id)).code).toBe(2);
  const granted = await run(ada, "access", "answer", dataset, id, "--grant", "--comment", "Welcome", "--days", "30");
  expect(granted.lines[0]).toMatchObject({ request: { state: "granted" }, grant: { kind: "subject", person: "bob" } });
  expect((await run(ada, "access", "requests", dataset)).lines).toEqual([]);
  expect((await run(ada, "access", "requests", dataset, "--all")).lines).toHaveLength(1);
  expect((await get(bob)).code).toBe(0);

  const [link] = (await run(cleo, "access", "grant", dataset, "--link", "--note", "Partners")).lines;
  expect((await get(link.secret)).code).toBe(0);
  const listed = (await run(ada, "access", "list", dataset)).lines;
  expect(listed).toMatchObject([{ kind: "link", note: "Partners" }, { person: "bob" }]);
  const [{ uses }, bobs] = listed;
  expect([uses, bobs.uses].every((number: number) => number > 0)).toBe(true);
  const read = (await run(cleo, "access", "uses", dataset, bobs.id)).lines;
  expect(read).toContainEqual(expect.objectContaining({ kind: "folder", path: "data/", version: 1, uses: 1 }));
  expect((await run(bob, "access", "uses", dataset, bobs.id)).code).toBe(1);
  for (const one of listed) expect((await run(ada, "access", "revoke", dataset, one.id)).code).toBe(0);
  expect([(await get(bob)).code, (await get(link.secret)).code]).toEqual([1, 1]);
  expect((await run(ada, "access", "grant", dataset, "--account", "eve")).lines[0].person).toBe("eve");
  expect((await run(ada, "access", "grant", dataset)).code).toBe(2);
  await run(bob, "access", "ask", dataset, "--reason", "Again");
  const [again] = (await run(ada, "access", "requests", dataset)).lines;
  const no = await run(cleo, "access", "answer", dataset, again.id, "--refuse", "--comment", "Only once");
  expect(no.lines[0]).toMatchObject({ state: "refused", answer: "Only once" });
});

// The commands of docs/how-to/reviewers.md, with the ids of this dataset.
test("the owner creates, lists and revokes reviewer links, and is told what can name people", async () => {
  const metadata = { ...goodMetadata, title: "Roots of the Carberry group" };
  const { dataset } = await archiveAs(service, s3, ada, { metadata });
  const label = "Journal of Roots";
  const created = await run(ada, "review", "link", "create", dataset, "--label", label, "--days", "30");
  expect(created.code).toBe(0);
  const [{ id, url, expiresAt, findings }] = created.lines;
  expect(url).toMatch(/\/app\/review#rev_[\w-]{43}$/);
  expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(30);
  expect(findings).toEqual([
    { kind: "name", text: "Carberry", place: { field: "/title" } },
    { kind: "excluded", text: "README.md", place: { file: "data/README.md" } },
  ]);
  const printed = await textOf(["review", "link", "create", dataset], ada);
  expect(printed).toMatch(/\/app\/review#rev_[\w-]{43}\n/);
  expect(printed).toContain("/title contains “Carberry”");
  expect(printed).toContain("1 file that describes the dataset is excluded");
  const plain = await run(cleo, "review", "link", "create", dataset, "--names");
  expect(plain.lines[0]).toMatchObject({ anonymous: false, createdBy: "cleo", findings: [] });
  expect((await run(ada, "review", "link", "create", dataset, "--days", "400")).code).toBe(1);
  expect((await run(ada, "review", "link", "list", dataset)).lines.map((one) => one.state)).toEqual(
    Array(3).fill("usable"),
  );
  expect((await run(ada, "review", "link", "revoke", dataset, id)).code).toBe(0);
  expect((await run(ada, "review", "link", "list", dataset)).lines.at(-1)).toMatchObject({
    id,
    label,
    state: "revoked",
  });
  expect((await run(ada, "review", "link", "revoke", dataset, "none")).code).toBe(1);
});
