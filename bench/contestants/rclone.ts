import { join } from "node:path";
import type { Workload } from "../support/cases.ts";
import { type Measured, runMeasured } from "../support/measure.ts";
import { type Bucket, KEYS } from "../support/source.ts";

/** The fastest options. With `--fast-list`, rclone would start to copy only after the whole listing. */
const FLAGS = [
  "--config=/dev/null",
  "--s3-provider=Other",
  "--s3-force-path-style",
  "--s3-list-version=2",
  "--use-server-modtime",
  "--transfers=32",
  "--checkers=32",
  "--quiet",
];

/** Disables the MD5 check of copied files, which Accession does not have, and uses one stream per object. */
const UNCHECKED = ["--ignore-checksum", "--multi-thread-streams=0"];

/** `rclone copy` of the whole bucket into an empty folder. */
export async function runRclone(
  { endpoint, bucket, caFile, workload }: Bucket,
  target: string,
  checks: "checked" | "unchecked",
): Promise<Measured> {
  const environment = { RCLONE_S3_ACCESS_KEY_ID: KEYS.accessKey, RCLONE_S3_SECRET_ACCESS_KEY: KEYS.secretKey };
  const flags = [
    ...FLAGS,
    `--s3-endpoint=${endpoint}`,
    ...network(caFile, workload),
    ...(checks === "unchecked" ? UNCHECKED : []),
  ];
  const { output: _, ...measured } = await runMeasured(
    "rclone",
    ["copy", `:s3:${bucket}`, join(target, "copy"), ...flags],
    environment,
  );
  return measured;
}

/** More connections at the same time are faster only with a delay. */
function network(caFile: string | undefined, { source }: Workload): string[] {
  const trusted = caFile === undefined ? [] : [`--ca-cert=${caFile}`];
  return source === "tls" ? [...trusted, "--transfers=128", "--checkers=128"] : trusted;
}

/** `sha512sum` of all copied files. */
export async function runSha512sum(target: string): Promise<Measured> {
  const script = 'find "$1/copy" -type f -print0 | xargs -0 -n 512 sha512sum > "$1/SHA512SUMS"';
  const { output: _, ...measured } = await runMeasured("bash", ["-c", script, "bash", target]);
  return measured;
}
