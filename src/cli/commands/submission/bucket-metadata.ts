import type { components, MetadataSuggestions, Remark, Selection } from "../../../../packages/client/src/index.ts";
import type { Client } from "../../client/client.ts";
import { inMetadata } from "../../metadata-file.ts";
import { Failure } from "../../terminal/failure.ts";
import { isBlank, sayMetadata } from "../../terminal/metadata.ts";
import type { Output } from "../../terminal/output.ts";
import { describeRemark } from "../../terminal/problem.ts";
import { FAILED, NEXT, type Shown, show, styled, WARNING } from "../../terminal/text.ts";

interface Session {
  client: Client;
  output: Output;
}

/** What `submit` knows of the metadata, and whether it may ask. */
interface Given {
  /** As read from `--metadata`; undefined without this option. The service validates it. */
  metadata: unknown;
  /** Whether the user has confirmed in advance. */
  isConfirmed: boolean;
}

/**
 * Adds values from the metadata files of a bucket to the fields that the given metadata lacks. Given values are never
 * replaced. Prints all values and where they come from, because submitted metadata are archived. In a terminal the user
 * confirms them; elsewhere they must be complete.
 *
 * @throws Failure if the bucket cannot be listed, and if the metadata are not confirmed or not complete
 */
export async function withBucketMetadata(
  { metadata: given, isConfirmed }: Given,
  source: { access: components["schemas"]["S3Access"]; selection: Selection },
  session: Session,
): Promise<unknown> {
  // The service reports that the metadata is not an object.
  if (given !== undefined && !isObject(given)) return given;
  const { client, output } = session;
  const note = () => output.note(show`The service is reading the metadata files of the bucket …`);
  const body = { ...source.access, selection: source.selection };
  const { data: found } = await client.askSource({ noteMs: 5_000, note }, (limits) =>
    client.api.POST("/submission/upload/s3metadata", { body, ...limits }),
  );
  const stated = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => !isBlank(value)));
  const metadata = { ...found.values, ...stated };
  print(output, { found, stated, metadata });
  if (!isConfirmed) await confirm(metadata, session);
  return metadata;
}

interface Merged {
  found: MetadataSuggestions;
  stated: Record<string, unknown>;
  metadata: Record<string, unknown>;
}

function print(output: Output, { found, stated, metadata }: Merged): void {
  const { files, sources } = found;
  if (files.length === 0) {
    output.note(show`The bucket has no metadata files at the top level of the selected data.`);
  }
  const origins = new Map([
    ...Object.entries(sources),
    ...Object.keys(stated).map((name): [string, string] => {
      const file = Object.hasOwn(sources, name) ? `; the value in ${sources[name]} is not used` : "";
      return [name, `--metadata${file}`];
    }),
  ]);
  if (origins.size > 0) output.note(show`Metadata to submit, and where they come from:`);
  sayMetadata((line, options) => output.note(line, options), metadata, origins);
  for (const line of unused(found)) output.note(line, { hang: 4 });
}

/** The values and files that cannot be used. */
function unused({ files }: MetadataSuggestions): Shown[] {
  return files.flatMap(({ key, remarks, problem }) => [
    ...(problem === null ? [] : [show`  ${WARNING} ${key}: ${problem.detail} ${styled("dim", `(${problem.code})`)}`]),
    ...remarks.map(({ place, message }) => show`  ${WARNING} ${key}${place === "" ? "" : ` (${place})`}: ${message}`),
  ]);
}

/** @throws Failure if the user does not confirm, or without a terminal if the metadata are not complete */
async function confirm(metadata: Record<string, unknown>, { client, output }: Session): Promise<void> {
  const { errors, warnings } = await client.ask(
    client.api.POST("/submission/validate", {
      // The service checks them.
      body: { metadata } as unknown as components["schemas"]["Metadata"],
    }),
  );
  const missing = warnings.filter(({ code }) => code.endsWith("_missing"));
  const isInteractive = process.stdin.isTTY && process.stderr.isTTY;
  if (errors.length > 0 || (missing.length > 0 && !isInteractive)) throw incomplete([...errors, ...missing]);
  for (const warning of warnings) output.note(describeRemark(inMetadata(warning)), { hang: 4 });
  if (!isInteractive) return;
  const { confirm: ask } = await import("@clack/prompts");
  // Standard output is reserved for results.
  const answer = await ask({ message: "Submit the bucket with these metadata?", output: process.stderr });
  if (answer !== true) throw new Failure(2, "Nothing was submitted.");
}

function incomplete(remarks: readonly Remark[]): Failure {
  return new Failure(
    1,
    [
      show`${FAILED} ${styled("bold", "The metadata are not complete. Nothing was submitted.")}`,
      ...remarks.map((remark) => describeRemark(inMetadata(remark))),
      show`  ${NEXT} Add the fields in a file with --metadata FILE. With --yes, warnings do not prevent the submission.`,
    ],
    { data: { errors: remarks } },
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
