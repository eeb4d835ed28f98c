import type { Command } from "@commander-js/extra-typings";
import type { components, Selection } from "../../../../packages/client/src/index.ts";
import { addApiCommand, given, type OptionsOf } from "../../api-command.ts";
import type { Client, WaitNote } from "../../client/client.ts";
import type { Output } from "../../terminal/output.ts";
import { ANONYMOUS, CREDENTIALS_FILE, REQUESTER_PAYS, ROLE, readSecrets } from "../../terminal/secrets.ts";
import { show } from "../../terminal/text.ts";

export const SECRETS_HELP = `
The credentials of the bucket are read from --credentials-file, from
ACCESSION_ACCESS_KEY, ACCESSION_SECRET_KEY and ACCESSION_SESSION_TOKEN, or from
a prompt. They cannot be part of the command line, which other users of the machine can
read.`;

/** Adds a command with the arguments ENDPOINT and BUCKET and the options of a bucket. */
export function addBucketCommand(program: Command, name: string, description: string) {
  return addApiCommand(program, name, description)
    .argument("<endpoint>", "address of the S3 server (default scheme: https)")
    .argument("<bucket>", "name of the bucket")
    .option("--region <region>", "region of the bucket (default: detected automatically)")
    .option("--prefix <prefix>", "select only keys that start with this text")
    .option(
      "--include <glob>",
      "select only keys that match, such as 'raw/**' or '**.csv'; * stays within a folder; repeatable",
      gather,
    )
    .option("--exclude <glob>", "exclude keys that match; repeatable", gather)
    .option("--path-style", "use addresses of the form host/bucket (default: detected automatically)")
    .option("--no-path-style", "use addresses of the form bucket.host")
    .addOption(CREDENTIALS_FILE)
    .addOption(ANONYMOUS)
    .addOption(ROLE)
    .addOption(REQUESTER_PAYS)
    .addHelpText("after", SECRETS_HELP);
}

/** Collects the values of a repeatable option. */
function gather(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** For a request of a command for which the service lists a bucket: the note to a user who waits. */
export function waitingFor(output: Output): WaitNote {
  const note = () => output.note(show`The service is waiting for the server of the bucket …`);
  return { noteMs: 10_000, note };
}

/** Returns access and selection in the form of the API. */
export async function readBucket(
  endpoint: string,
  bucket: string,
  options: OptionsOf<typeof addBucketCommand>,
  to: { client: Client; output: Output },
): Promise<{ access: components["schemas"]["S3Access"]; selection: Selection }> {
  const { region, pathStyle, prefix, include, exclude } = options;
  const secrets = await readSecrets(options, to);
  return {
    access: { endpoint, bucket, ...given({ region: region || undefined, pathStyle }), ...secrets },
    selection: given({ prefix: prefix || undefined, include, exclude }),
  };
}
