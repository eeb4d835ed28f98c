import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import type { components } from "../../../../packages/client/src/index.ts";
import { addApiCommand, clientOf, commandName, DATASET, given, VERSION, versionQuery } from "../../api-command.ts";
import { askAboutMetadata, inMetadata, readMetadata } from "../../metadata-file.ts";
import { sayFields } from "../../terminal/metadata.ts";
import { moment } from "../../terminal/numbers.ts";
import type { Output } from "../../terminal/output.ts";
import { describeRemark } from "../../terminal/problem.ts";
import { OK, show, styled, WARNING } from "../../terminal/text.ts";

type DatasetMetadata = components["schemas"]["DatasetMetadata"];

/** `dataset metadata`, `dataset set-metadata`: shows the metadata of a dataset, and changes them. */
export function addDatasetMetadata(dataset: Command): void {
  addApiCommand(dataset, "metadata", "show the metadata of a dataset and their changes")
    .addOption(VERSION)
    .addArgument(DATASET)
    .action(showMetadata);
  addApiCommand(dataset, "set-metadata", "replace the metadata of the latest version of a dataset")
    .addArgument(DATASET)
    .requiredOption("--metadata <file>", "file with all metadata as JSON; - for standard input (required)")
    .option("--note <text>", "reason for the change")
    .option(
      "--expect <state>",
      "refuse the change unless the metadata have this state, such as 1.2 (version.revision); default: the current state",
      metadataState,
    )
    .addHelpText(
      "after",
      `
Example:
  accession dataset metadata 7f3c9c1e-… --json | jq .metadata > metadata.json
  accession dataset set-metadata 7f3c9c1e-… --metadata metadata.json --note "Corrected a name" --expect 1.1`,
    )
    .action(setMetadata);
}

/** Accepts the ETag of the service, too, which is in double quotes. */
function metadataState(text: string): string {
  const [, state] = /^"?(\d+\.\d+)"?$/.exec(text) ?? [];
  if (state !== undefined) return state;
  throw new InvalidArgumentError("Use the numbers of the version and of the revision, such as 1.2.");
}

async function showMetadata(id: string, options: { json?: boolean; datasetVersion?: number }): Promise<void> {
  const { client, output } = clientOf(options);
  const params = { path: { id }, query: versionQuery(options) };
  const found = await client.ask(client.api.GET("/dataset/{id}/metadata", { params }));
  output.data(found);
  sayFields(output, found.metadata);
  output.say(show`Changes:`);
  for (const { version, revision, changedAt, changedBy, note } of await client.ask(
    client.api.GET("/dataset/{id}/revisions", { params }),
  )) {
    const reason = note === "" ? "" : `: ${note}`;
    output.say(show`  ${version}.${revision}, ${moment(changedAt)}, ${authorOf(changedBy)}${reason}`, { hang: 4 });
  }
  output.say(show`To get the metadata as JSON: ${commandName()} dataset metadata ${id} --json | jq .metadata`);
}

async function setMetadata(
  id: string,
  { metadata: file, note, expect, ...options }: { metadata: string; note?: string; expect?: string; json?: boolean },
): Promise<void> {
  const { client, output } = clientOf(options);
  const metadata = (await readMetadata(file)) as components["schemas"]["Metadata"];
  const replaced = expect === undefined ? await currentState({ client, output }, id) : expect;
  const request = client.api.PUT("/dataset/{id}/metadata", {
    params: { path: { id }, header: { "if-match": `"${replaced}"` } },
    // The service checks them.
    body: { metadata, ...given({ note }) },
  });
  const changed = await askAboutMetadata(client.ask(request));
  output.data(changed);
  const { response } = await request;
  if (response.status === 202) {
    output.say(
      show`${WARNING} The change is recorded and not archived yet. Until then the dataset has its earlier metadata.`,
    );
  } else if (stateOf(changed) === replaced) {
    output.say(show`These are the current metadata. Nothing was changed.`);
  } else sayChanged(output, changed);
}

/** The state that the change replaces if the caller names none. It is shown, because another user may have made it. */
async function currentState({ client, output }: ReturnType<typeof clientOf>, id: string): Promise<string> {
  const current = await client.ask(client.api.GET("/dataset/{id}/metadata", { params: { path: { id } } }));
  const { changedAt, changedBy } = current;
  output.say(show`Replaces the state ${stateOf(current)} of ${moment(changedAt)} by ${authorOf(changedBy)}.`);
  return stateOf(current);
}

/** Who made a revision. That of the service, after publication, has no account. */
function authorOf(changedBy: string): string {
  return changedBy === "" ? "the service" : changedBy;
}

function stateOf({ version, revision }: DatasetMetadata): string {
  return `${version}.${revision}`;
}

function sayChanged(output: Output, changed: DatasetMetadata): void {
  output.say(show`${OK} Archived. The metadata have the state ${styled("bold", stateOf(changed))}.`);
  for (const warning of changed.warnings) output.say(describeRemark(inMetadata(warning)), { hang: 4 });
}
