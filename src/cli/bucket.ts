import type { Command } from "commander";
import type { components, Selection } from "../../packages/client/src/index.ts";
import { gather } from "./api-command.ts";
import type { Client } from "./client/client.ts";
import type { Output } from "./terminal/output.ts";
import { addSecretOptions, readSecrets, type SecretOptions } from "./terminal/secrets.ts";

/** How commands name a bucket and what of it is wanted. */
export interface BucketOptions extends SecretOptions {
  region?: string;
  pathStyle?: boolean;
  prefix?: string;
  include?: string[];
  exclude?: string[];
}

export const SECRETS_HELP = `
The bucket's keys come from ACCESSION_ACCESS_KEY, ACCESSION_SECRET_KEY and ACCESSION_SESSION_TOKEN, from
--credentials-file, or from a prompt; never from an argument, which others on this machine could read.`;

/** Adds ENDPOINT, BUCKET and what goes with them. */
export function addBucketOptions(command: Command): Command {
  command
    .argument("<endpoint>", "address of the S3 server; without a scheme it means https")
    .argument("<bucket>", "the bucket's bare name")
    .option("--region <region>", "region; without it, it is found out from the server")
    .option("--prefix <prefix>", "only keys that begin with this")
    .option("--include <glob>", "only keys that match; * stops at /, ** does not; may be repeated", gather)
    .option("--exclude <glob>", "no keys that match; may be repeated", gather)
    .option("--path-style", "host/bucket; without it, what suits the endpoint")
    .option("--no-path-style", "bucket.host");
  return addSecretOptions(command).addHelpText("after", SECRETS_HELP);
}

/** Access and selection as the API takes them. */
export async function readBucket(
  endpoint: string,
  bucket: string,
  options: BucketOptions,
  to: { client: Client; output: Output },
): Promise<{ access: components["schemas"]["S3Access"]; selection: Selection }> {
  const { region, pathStyle, prefix, include, exclude } = options;
  const secrets = await readSecrets(options, to);
  return {
    access: { endpoint, bucket, ...(region && { region }), ...(pathStyle !== undefined && { pathStyle }), ...secrets },
    selection: { ...(prefix && { prefix }), ...(include && { include }), ...(exclude && { exclude }) },
  };
}
