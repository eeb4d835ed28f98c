import { setTimeout as sleep } from "node:timers/promises";
import { type Command, Option } from "@commander-js/extra-typings";
import { ACCESS_KINDS } from "../../../../packages/rules/src/index.ts";
import type { ProblemEntry } from "../../../domain/problems/entry.ts";
import { catalogue } from "../../../domain/problems.ts";
import { addApiCommand, clientOf, DATASET, given, type OptionsOf, VERSION, versionQuery } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { Failure } from "../../terminal/failure.ts";
import type { Output } from "../../terminal/output.ts";
import { paragraphs, show, WARNING } from "../../terminal/text.ts";
import { describeObstacle, type Publication, sayChecks, sayPublication } from "./publication-output.ts";

const POLL_MS = 1_000;

/** `publish`: requests publication of a dataset, or publishes an approved one. */
export function addPublish(program: Command): void {
  addPublishCommand(program).action(publish);
}

type PublishOptions = OptionsOf<typeof addPublishCommand>;

function addPublishCommand(program: Command) {
  return addApiCommand(program, "publish", "request publication of a dataset, or publish it once it is approved")
    .addOption(VERSION)
    .addArgument(DATASET)
    .option(
      "--accept-agreement <digest>",
      "accept the deposit agreement with this SHA-256; without it, the agreement is printed",
    )
    .addOption(
      new Option(
        "--access <access>",
        "who may read the files (default: an embargo of the metadata, otherwise open)",
      ).choices(ACCESS_KINDS),
    )
    .option("--until <date>", "first day on which the files are open, for --access embargoed (YYYY-MM-DD)")
    .option("--reason <text>", "reason for an embargo or a restriction")
    .option("--collections <ids...>", "ids of collections to which the dataset should belong")
    .option("--comment <text>", "comment for the curators")
    .option("--notify <address>", "e-mail address to notify about comments, decisions and the publication")
    .option("--show-source", "let the public see where the data came from: endpoint, bucket and selection")
    .option("--later", "publish after approval with another “accession publish”, not at once")
    .option("--wait", "wait until the dataset is published, or until someone must act")
    .addHelpText(
      "after",
      `
Example:
  accession publish 7f3c9c1e-…                            prints the deposit agreement
  accession publish 7f3c9c1e-… --accept-agreement 3b1f…   requests publication
  accession publish 7f3c9c1e-… --wait                     publishes after approval`,
    );
}

async function publish(id: string, options: PublishOptions): Promise<void> {
  const { client, output } = clientOf(options);
  const params = { path: { id }, query: versionQuery(options) };
  const seen = await client.ask(client.api.GET("/dataset/{id}/publication", { params }));
  let changed = await next(client, output, seen, options);
  if (options.wait === true) changed = await settled(client, output, changed);
  sayPublication(output, changed);
  if (changed.state === "published") return;
  if (options.wait === true || changed === seen) throw new Failure(1, describeObstacle(changed));
}

/** Takes the action that is possible in the state. Returns the publication unchanged if none is. */
async function next(client: Client, output: Output, seen: Publication, options: PublishOptions): Promise<Publication> {
  const { state, dataset, version, actions } = seen;
  if (actions.includes("publish")) {
    const params = { path: { id: dataset }, query: { version } };
    const body = given({ comment: options.comment });
    return client.ask(client.api.POST("/dataset/{id}/publication/publish", { params, body }));
  }
  if (actions.includes("request")) return request(client, output, seen, options);
  // A repeated request has no effect and succeeds. The service decides whether this is one.
  if (state === "in_review" && options.acceptAgreement !== undefined && actions.includes("take-back")) {
    return request(client, output, seen, options).catch((error: unknown) => {
      if (codeOf(error) === "publication_state") return seen;
      throw error;
    });
  }
  if (state === "published") requireSame(seen, options);
  return seen;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Failure
    ? (error.data as { problem?: { code: string } } | undefined)?.problem?.code
    : undefined;
}

/** @throws Failure if options would have no effect on a published version */
function requireSame(seen: Publication, options: PublishOptions): void {
  const { access, until, reason, comment, collections, notify, showSource } = options;
  const isOther =
    (access !== undefined && access !== seen.access) ||
    (until !== undefined && until !== seen.embargoDate) ||
    (reason !== undefined && reason !== seen.accessReason);
  if (isOther) {
    throw new Failure(1, [
      show`The dataset is already published, and its access is “${seen.access}”.`,
      show`  To change access, use “accession review access”.`,
    ]);
  }
  if (showSource === true && !seen.showSource) {
    throw new Failure(1, [
      show`The dataset is already published without its source: --show-source has no effect.`,
      show`  To show the source, publish a later version of the dataset with --show-source.`,
    ]);
  }
  if (collections !== undefined) {
    throw new Failure(1, [
      show`The dataset is already published: --collections has no effect.`,
      show`  Ask a curator of the collection to add it with “accession collection add”.`,
    ]);
  }
  if (comment !== undefined || notify !== undefined) {
    throw new Failure(1, [
      show`The dataset is already published: --comment and --notify have no effect.`,
      show`  To comment, use “accession review comment”.`,
    ]);
  }
}

async function request(client: Client, output: Output, seen: Publication, options: PublishOptions) {
  const { acceptAgreement: agreement, comment, collections, notify, later, showSource } = options;
  const agreements = await client.ask(client.api.GET("/deposit-agreement"));
  if (agreement === undefined) {
    sayChecks(output, seen);
    for (const { language, text, sha256 } of agreements) {
      output.data({ language, sha256, text });
      output.say(show`\n${paragraphs(text.trimEnd())}\n`);
      output.say(show`To accept this text (${language}), add --accept-agreement ${sha256}`, { hang: 2 });
    }
    throw new Failure(2, show`The deposit agreement must be accepted`);
  }
  if (agreements.every(({ sha256 }) => sha256 !== agreement)) {
    throw new Failure(1, [
      show`The agreement has changed, or the digest is wrong.`,
      show`  To read the agreement and its digest, run the command without --accept-agreement.`,
    ]);
  }
  return client.ask(
    client.api.POST("/dataset/{id}/publication/request", {
      params: { path: { id: seen.dataset }, query: { version: seen.version } },
      body: {
        agreement,
        ...accessOf(seen, options),
        publishOnApproval: later !== true,
        ...given({ showSource, collections, comment, notify: notify === undefined ? undefined : { email: notify } }),
      },
    }),
  );
}

/** The access that the options name, or else the one that the service proposes: an embargo of the metadata, or the last choice. */
function accessOf(seen: Publication, { access = seen.access, until, reason }: PublishOptions) {
  const isProposed = access === seen.access && (until === undefined || until === seen.embargoDate);
  const embargoDate = until ?? (isProposed ? seen.embargoDate : null);
  const proposed = access === "embargoed" ? "Embargo of the metadata" : "";
  const stated = reason ?? (isProposed ? seen.accessReason || proposed : "");
  return { access, ...(embargoDate !== null && { embargoDate }), ...(stated !== "" && { reason: stated }) };
}

/** Waits until the service has done its part, also while it tries again automatically. */
async function settled(client: Client, output: Output, from: Publication): Promise<Publication> {
  const params = { path: { id: from.dataset }, query: { version: from.version } };
  const told = new Set<boolean>();
  for (let now = from; ; now = await client.ask(client.api.GET("/dataset/{id}/publication", { params }))) {
    if (now.state !== "registering" || needsPerson(now)) return now;
    const { problem, isDelayed } = now;
    if (problem !== null && !told.has(isDelayed)) {
      told.add(isDelayed);
      const begin = isDelayed ? show`${WARNING} Delayed` : "The last attempt failed";
      output.note(show`${begin}: ${problem.message}. The service tries again automatically, and this command waits.`, {
        hang: 2,
      });
    }
    await sleep(POLL_MS);
  }
}

const KNOWN: Partial<Record<string, ProblemEntry>> = catalogue;

/** Whether the registration continues only after a person has corrected something. */
function needsPerson({ waitingFor, problem }: Publication): boolean {
  if (waitingFor !== "operator" && waitingFor !== "owner") return false;
  return problem === null || KNOWN[problem.code]?.retryable !== true;
}
