import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { type Mailbox, startMailbox } from "../support/receivers/mailbox.ts";

const ADA = "ada@lab.example.org";
const CURATORS = "curators@archive.example.org";
let s3: S3Server;
let mailbox: Mailbox;
let service: TestService;
let ada: string;
let cleo: string;

beforeAll(async () => {
  s3 = await startS3Server();
  mailbox = await startMailbox();
  service = await startTestService({
    ...TOKENS,
    ACCESSION_PUBLICATION: "review",
    ACCESSION_SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`,
    ACCESSION_MAIL_FROM: "accession@example.org",
    ACCESSION_CURATOR_MAIL: CURATORS,
  });
  await signIn();
});
async function signIn(): Promise<void> {
  const tokens = await Tokens.open(service);
  ada = (await tokens.create("ada", "submitter")).token;
  cleo = (await tokens.create("cleo", "curator")).token;
}
afterAll(async () => {
  await service.stop();
  await mailbox.stop();
  await s3.close();
});

/** Changes the metadata of a dataset, as the next revision. */
async function edit(token: string, dataset: string, revision: number, note: string): Promise<void> {
  const { status, text } = await service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, title: `${goodMetadata.title} ${revision}` }, note }),
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "if-match": `"1.${revision - 1}"`,
    },
  });
  expect([status, text]).toEqual([200, expect.any(String)]);
}

test("an edit during the review is an entry of the history, survives a rebuild, and the other party is told", async () => {
  const { dataset } = await archiveAs(service, s3, ada);
  const one = new PublicationClient(service, dataset);
  const subjects = (to: string) =>
    mailbox.mails
      .filter(({ recipients, text }) => recipients.includes(to) && text?.includes(dataset))
      .map(({ subject = "" }) => subject.split(":")[0]);
  // Before the request, no person has read the metadata.
  await edit(ada, dataset, 2, "Before");
  await one.done(ada, "request", { agreement: true, access: "open", notify: { email: ADA } });
  const seen = await one.seen(cleo);
  await edit(ada, dataset, 3, "The depth was missing");
  const outdated = await one.act(cleo, "approve", {}, seen);
  expect([outdated.status, outdated.json.code]).toEqual([412, "publication_conflict"]);
  await vi.waitUntil(() => subjects(CURATORS).length === 2);
  expect(subjects(CURATORS)).toEqual(["Review this dataset", "Metadata changed"]);
  expect(mailbox.mails.at(-1)?.text).toContain(
    "ada changed the metadata of this dataset during the review (revision 3).\n\n> The depth was missing\n",
  );

  await edit(cleo, dataset, 4, "Spelling");
  await vi.waitUntil(() => subjects(ADA).length === 1);
  await one.done(cleo, "request-changes", { comment: "Please add the licence" });
  await vi.waitUntil(() => subjects(ADA).length === 2);
  await edit(ada, dataset, 5, "");
  await one.done(ada, "request", { agreement: true, access: "open" });
  await vi.waitUntil(() => subjects(CURATORS).length === 3);
  expect(subjects(CURATORS).at(-1)).toBe("Review this dataset");
  expect(subjects(ADA)).toEqual(["Metadata changed", "Change your dataset"]);

  const edits = [
    { actor: "ada", action: "edit-metadata", state: "in_review", revision: 3, comment: "The depth was missing" },
    { actor: "cleo", action: "edit-metadata", state: "in_review", revision: 4, comment: "Spelling" },
    { actor: "ada", action: "edit-metadata", state: "changes_requested", revision: 5, comment: "" },
  ];
  const history = async () => (await one.get(ada)).json.history;
  const before = await history();
  expect(before.map(({ action }: { action: string }) => action)).toEqual([
    ...["request", "edit-metadata", "edit-metadata", "request-changes", "edit-metadata", "request"],
  ]);
  const editsIn = (entries: { action: string }[]) => entries.filter(({ action }) => action === "edit-metadata");
  expect(editsIn(before)).toMatchObject(edits);

  // The last entry is an edit: the archive has it without a later decision.
  await edit(cleo, dataset, 6, "Keywords");
  await service.settled();
  await service.restart(async () => {
    await service.recreateDatabase();
    const { code, stderr } = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect([code, stderr]).toEqual([0, ""]);
  });
  await signIn();
  expect(editsIn(await history())).toMatchObject([...edits, { actor: "cleo", revision: 6, comment: "Keywords" }]);
});
