import { createHash, createPublicKey, type JsonWebKey, verify } from "node:crypto";
import { join } from "node:path";
import { checkFolders, checkHistory, checkSecrets } from "./folders.ts";
import { checkClaims, checkDataset, checkFiles, type File, type Receipt, type Submission } from "./objects.ts";
import { Findings, type ObservedRun, type Reply, type Violation } from "./observed-run.ts";
import { type Dataset, textOf, type Version, walkRoot } from "./ocfl.ts";
import { checkEvents, checkProgress, type Event } from "./states.ts";
import { checkChanges } from "./versions.ts";

export type { Invariant, Observation, ObservedRun, Reply, SourceObject, Violation } from "./observed-run.ts";

/**
 * Checks the invariants that must hold after any fault, with everything that is observable of a run. It depends on the API
 * and the standards only, and uses no code of the service.
 */
export async function checkInvariants(world: ObservedRun): Promise<Violation[]> {
  const findings = new Findings();
  const replies: string[] = [];
  const get = async (path: string): Promise<Reply> => {
    const reply = await world.get(path);
    replies.push(reply.text);
    return reply;
  };
  const datasets = await walkRoot(join(world.archive ?? join(world.data, "archive"), "ocfl"), findings);
  const submissions = new Map<string, Submission>();
  for (const id of world.accepted) {
    const { status, text } = await get(`/submission/${id}`);
    if (findings.expect(status === 200, "accepted submissions survive", `${id} has the response ${status}`)) {
      submissions.set(id, JSON.parse(text));
    }
  }
  for (const submission of submissions.values()) await checkSubmission(world, submission, datasets, get, findings);
  for (const { id } of datasets) {
    const isOurs = [...submissions.values()].some((one) => one.dataset?.id === id && one.status === "completed");
    findings.expect(isOurs, "no partial datasets", `the dataset ${id} belongs to no completed submission`);
  }
  checkProgress(world.observed, findings);
  checkHistory(world, findings);
  await checkFolders(world, submissions, findings);
  await checkSecrets(world, replies, findings);
  return findings.violations;
}

async function checkSubmission(
  world: ObservedRun,
  submission: Submission,
  datasets: readonly Dataset[],
  get: ObservedRun["get"],
  findings: Findings,
): Promise<void> {
  const { id, status, waiting, failure } = submission;
  const isOver = ["completed", "cancelled"].includes(status) || (status === "failed" && failure !== null);
  const waits = status === "waiting" && waiting !== null && waiting.message !== "" && waiting.until !== null;
  findings.expect(isOver || waits, "nothing hangs", `${id} is ${status}, which is neither final nor waiting`);
  const events: Event[] = JSON.parse((await get(`/submission/${id}/events?limit=10000`)).text);
  checkEvents(submission, events, findings);
  const files: File[] = [];
  for (let path: string | undefined = `/submission/${id}/files?limit=1000`; path !== undefined; ) {
    const page: Reply = await get(path);
    files.push(...JSON.parse(page.text));
    path = page.next;
  }
  checkFiles(world, submission, files, findings);
  if (status !== "completed") return;
  const number = submission.dataset?.version ?? 0;
  const whole = datasets.find((one) => one.id === submission.dataset?.id);
  const dataset = whole?.versions.get(number);
  if (whole === undefined || dataset === undefined) {
    findings.expect(false, "completed is complete", `${id} is completed, but its dataset is missing`);
    return;
  }
  const jws = (await get(`/submission/${id}/receipt`)).text.trim();
  checkDataset(world, submission, { files, dataset }, findings);
  const receipt = await checkReceipt(world, submission, dataset, jws, findings);
  const manifestSha512 = dataset.files.get("metadata/source-manifest.jsonl")?.sha512;
  checkChanges(submission, whole, receipt, findings);
  checkClaims(world, submission, { dataset, receipt, manifestSha512 }, findings);
  await checkRebuildable(submission, dataset, { jws, events }, findings);
}

/** Checks that the signature is valid with a key of the archive, and that the receipt names this inventory. */
async function checkReceipt(
  world: ObservedRun,
  submission: Submission,
  dataset: Version,
  jws: string,
  findings: Findings,
): Promise<Receipt> {
  const [head = "", body = "", signature = ""] = jws.split(".");
  const decode = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  const { kid, alg } = decode(head);
  const receipt: Receipt = decode(body);
  const jwks = await textOf(join(world.archive ?? join(world.data, "archive"), "jwks.json"));
  const keys: (JsonWebKey & { kid?: string })[] = jwks === "" ? [] : JSON.parse(jwks).keys;
  const key = keys.find((one) => one.kid === kid);
  const signed = Buffer.from(`${head}.${body}`);
  const holds =
    alg === "EdDSA" &&
    key !== undefined &&
    verify(null, signed, createPublicKey({ key, format: "jwk" }), Buffer.from(signature, "base64url"));
  findings.expect(holds, "completed is complete", `${submission.id}: the receipt’s signature is invalid`);
  const inventory = createHash("sha512")
    .update(await textOf(join(dataset.folder, `v${dataset.ocflVersion}`, "inventory.json")))
    .digest("hex");
  const isOfIt = receipt.digests.inventory.sha512 === inventory;
  findings.expect(isOfIt, "files and inventory agree", `${submission.id}: the receipt names another inventory`);
  findings.expect(
    receipt.submission.id === submission.id && receipt.submission.attempt === submission.attempt,
    "completed is complete",
    `${submission.id}: the receipt is of another submission or attempt`,
  );
  return receipt;
}

/** Checks that the database could be rebuilt from the archive. */
async function checkRebuildable(
  submission: Submission,
  dataset: Version,
  { jws, events }: { jws: string; events: readonly Event[] },
  findings: Findings,
): Promise<void> {
  const there = (holds: boolean, detail: string) =>
    findings.expect(holds, "rebuildable", `${submission.id}: ${detail}`);
  const read = (name: string) => textOf(join(dataset.folder, "logs", `v${dataset.ocflVersion}`, name));
  there((await read("receipt.jws")).trim() === jws, "receipt.jws in the logs differs from the API’s");
  const sent = parse(await read("submission.json"));
  there(
    sent?.id === submission.id && sent.owner === submission.owner && sent.attempt === submission.attempt,
    "submission.json in the logs belongs to another submission, owner or attempt",
  );
  there(sent?.createdAt === submission.createdAt, "submission.json in the logs has another time");
  there(
    JSON.stringify(sent?.sent) === JSON.stringify(submission.metadata),
    "submission.json in the logs has other metadata",
  );
  const lines = (await read("events.jsonl")).split("\n").filter((line) => line !== "");
  const kept = lines.map((line) => parse(line) as { seq?: number; type?: string } | undefined);
  const before = events.slice(
    0,
    events.findIndex(({ type }) => type === "publishing"),
  );
  const isWhole = before.every(({ id, type }, index) => kept[index]?.seq === id && kept[index]?.type === type);
  there(isWhole, "events.jsonl in the logs lacks events before the publication");
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
