import { setTimeout as sleep } from "node:timers/promises";
import { type Command, Option } from "commander";
import { addApiCommand, addVersionOption, type Common, clientOf, type OfVersion } from "../../api-command.ts";
import type { Client } from "../../client/client.ts";
import { Failure, Unsuccessful } from "../../terminal/failure.ts";
import type { Output } from "../../terminal/output.ts";
import { show } from "../../terminal/text.ts";
import { type Publication, sayChecks, sayPublication } from "./publication-output.ts";

const ACCESS = ["open", "embargoed", "restricted"] as const;
const POLL_MS = 1_000;

interface PublishOptions extends Common, OfVersion {
  acceptAgreement?: string;
  access: (typeof ACCESS)[number];
  until?: string;
  reason?: string;
  comment?: string;
  later?: boolean;
  wait?: boolean;
}

/** `publish`: requests publication of a dataset, or publishes an approved one. */
export function addPublish(program: Command): void {
  addVersionOption(
    addApiCommand(program, "publish", "request publication of a dataset, or publish it once it is approved"),
  )
    .argument("<dataset>", "id of the dataset (UUID or urn:uuid:…)")
    .option(
      "--accept-agreement <digest>",
      "accept the deposit agreement with this SHA-256; without it, the agreement is printed",
    )
    .addOption(new Option("--access <access>", "who may read the files").choices(ACCESS).default("open"))
    .option("--until <date>", "first day on which the files are open, for --access embargoed (YYYY-MM-DD)")
    .option("--reason <text>", "reason for an embargo or a restriction")
    .option("--comment <text>", "comment for the curators")
    .option("--later", "publish after approval with another “accession publish”, not at once")
    .option("--wait", "wait until the dataset is published, or until someone must act")
    .addHelpText(
      "after",
      `
Example:
  accession publish 7f3c9c1e-…                            prints the deposit agreement
  accession publish 7f3c9c1e-… --accept-agreement 3b1f…   requests publication
  accession publish 7f3c9c1e-… --wait                     publishes after approval`,
    )
    .action(publish);
}

async function publish(id: string, options: PublishOptions): Promise<void> {
  const { client, output } = clientOf(options);
  const params = { path: { id }, query: queryOf(options) };
  const seen = await client.ask(client.api.GET("/dataset/{id}/publication", { params }));
  const body = options.comment === undefined ? {} : { comment: options.comment };
  const isStarted = seen.state === "approved" || seen.state === "registering";
  let changed: Publication = seen;
  if (isStarted) {
    changed = await client.ask(client.api.POST("/dataset/{id}/publication/publish", { params, body }));
  } else if (seen.state !== "published") changed = await request(client, output, id, options);
  if (options.wait === true) changed = await settled(client, id, options);
  sayPublication(output, changed);
  if (options.wait === true && changed.state !== "published") throw new Unsuccessful();
}

async function request(client: Client, output: Output, id: string, options: PublishOptions): Promise<Publication> {
  const { acceptAgreement: agreement, access, until, reason, comment, later } = options;
  const params = { path: { id }, query: queryOf(options) };
  if (agreement === undefined) {
    sayChecks(output, await client.ask(client.api.GET("/dataset/{id}/publication", { params })));
    for (const { language, text, sha256 } of await client.ask(client.api.GET("/deposit-agreement"))) {
      output.say(show`\n${text.trimEnd()}\n`);
      output.say(show`To accept this text (${language}), add --accept-agreement ${sha256}`, { hang: 2 });
    }
    throw new Failure(2, show`The deposit agreement must be accepted`);
  }
  return client.ask(
    client.api.POST("/dataset/{id}/publication/request", {
      params,
      body: {
        agreement,
        access,
        publishOnApproval: later !== true,
        ...(until !== undefined && { embargoDate: until }),
        ...(reason !== undefined && { reason }),
        ...(comment !== undefined && { comment }),
      },
    }),
  );
}

/** Waits until the service has done its part. */
async function settled(client: Client, id: string, options: OfVersion): Promise<Publication> {
  const params = { path: { id }, query: queryOf(options) };
  for (;;) {
    const now = await client.ask(client.api.GET("/dataset/{id}/publication", { params }));
    if (now.state !== "registering" || now.waitingFor === "operator") return now;
    await sleep(POLL_MS);
  }
}

export function queryOf({ datasetVersion }: OfVersion): { version?: number } {
  return datasetVersion === undefined ? {} : { version: datasetVersion };
}
