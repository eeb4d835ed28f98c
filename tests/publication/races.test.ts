import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { recordOf } from "../../src/archive/receipts/signing.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const ROUNDS = 2;
const TITLES = [goodMetadata.title, "A title that was changed during the approval"];
let s3: S3Server;
let service: TestService;
let tokens: Record<"ada" | "cleo" | "carl" | "admin", string>;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ...TOKENS, ACCESSION_PUBLICATION: "review" });
  const all = await Tokens.open(service);
  const of = async (name: string, role: "submitter" | "curator") => (await all.create(name, role)).token;
  tokens = {
    admin: all.admin,
    ada: await of("ada", "submitter"),
    cleo: await of("cleo", "curator"),
    carl: await of("carl", "curator"),
  };
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

function edit(dataset: string, title = TITLES[1], revision = 1): ReturnType<TestService["api"]["send"]> {
  return service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
    headers: { ...bearer(tokens.ada), "content-type": "application/json", "if-match": `"1.${revision}"` },
  });
}

async function firstRecord(dataset: string) {
  const folder = join(service.archive, "ocfl", objectFolder(`urn:uuid:${dataset}`), "logs", "publication");
  const [name = ""] = (await readdir(folder)).toSorted();
  return recordOf(await readFile(join(folder, name), "utf8"));
}

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "three approvals and an edit at the same time: one approval counts, and what was approved is published (round %i)",
  async (round) => {
    const { dataset } = await archiveAs(service, s3, tokens.ada);
    const one = new PublicationClient(service, dataset);
    await one.done(tokens.ada, "request", { agreement: true, access: "open", publishOnApproval: false });
    const seen = await one.seen(tokens.cleo);
    const approvals = [tokens.cleo, tokens.carl, tokens.admin].map(
      (token) => () => one.act(token, "approve", {}, seen),
    );
    const all = [...approvals.slice(0, round), () => edit(dataset), ...approvals.slice(round)];
    const answers = await Promise.all(all.map((send) => send()));
    const edited = answers[round];
    const decided = answers.toSpliced(round, 1);
    const outcomes = [edited?.status, decided.map(({ status, json }) => json.code ?? status)] as const;
    // Approvals wait for no edit: while one is being archived, they are refused.
    if (decided.every(({ status }) => status !== 200)) {
      expect(decided.map(({ json }) => json.code)).toEqual(decided.map(() => expect.stringMatching(REFUSED)));
      const approve = async () => one.act(tokens.cleo, "approve", {}, await one.seen(tokens.cleo));
      await vi.waitUntil(async () => (await approve()).status === 200);
    } else expect(decided.filter(({ status }) => status === 200).length, JSON.stringify(outcomes)).toBe(1);
    if (edited?.status !== 200) expect(edited?.json.code).toBe("approved_metadata");

    const approved = (await one.get(tokens.ada)).json;
    const revision = edited?.status === 200 ? 2 : 1;
    expect(approved).toMatchObject({ state: "approved", approvedRevision: revision, revision });
    expect((await edit(dataset, "Too late", revision)).json.code).toBe("approved_metadata");
    await one.done(tokens.ada, "publish");
    const published = await one.until(tokens.ada, "published");
    expect(published.history.filter(({ action }: { action: string }) => action === "approve")).toHaveLength(1);
    expect(published.reviewedSha512).toBe(approved.reviewedSha512);
    const record = await firstRecord(dataset);
    expect(record).toMatchObject({ dataset: { revision }, title: TITLES[revision - 1] });
    expect(record.digests.inventory.sha512).toBe(record.digests.reviewed);
  },
);

/** The codes of approvals that are refused because of an edit. */
const REFUSED = /^(dataset_busy|publication_conflict)$/;
