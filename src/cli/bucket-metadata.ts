import type { components, MetadataSuggestions, Selection } from "../../packages/client/src/index.ts";
import type { Client } from "./client/client.ts";
import type { Output } from "./terminal/output.ts";
import { type Shown, show, styled } from "./terminal/text.ts";

/** Time limits: the service lists the bucket for up to 10 s and then reads the files for up to 20 s. */
const WAIT = { answerMs: 60_000, noteMs: 5_000 } as const;

/**
 * Adds values from the metadata files of a bucket to the fields that the given metadata lacks, and prints where each value
 * comes from. Given values are never replaced.
 *
 * @param given as read; the service validates it
 * @throws Failure if the bucket cannot be listed
 */
export async function withBucketMetadata(
  given: unknown,
  source: { access: components["schemas"]["S3Access"]; selection: Selection },
  { client, output }: { client: Client; output: Output },
): Promise<unknown> {
  // The service reports that the metadata is not an object.
  if (given !== undefined && !isObject(given)) return given;
  const note = () => output.note(show`The service is reading the metadata files of the bucket …`);
  const body = { ...source.access, selection: source.selection };
  const found = await client.askLong({ ...WAIT, note }, (limits) =>
    client.api.POST("/submission/upload/s3metadata", { body, ...limits }),
  );
  const stated = Object.entries(given ?? {}).filter(([, value]) => !isBlank(value));
  for (const line of describe(found, new Set(stated.map(([name]) => name)))) output.note(line, { hang: 4 });
  return { ...found.values, ...Object.fromEntries(stated) };
}

function describe({ sources, files }: MetadataSuggestions, stated: ReadonlySet<string>): Shown[] {
  if (files.length === 0) return [show`The bucket has no metadata files at the top level of the selected data.`];
  const members = Object.entries(sources);
  const width = Math.max(0, ...members.map(([name]) => name.length));
  return [
    show`Metadata from files of the bucket:`,
    ...members.map(([name, key]) =>
      stated.has(name)
        ? show`  ${name.padEnd(width)}  ${styled("dim", "not used, because a value is given:")} ${key}`
        : show`  ${name.padEnd(width)}  ${key}`,
    ),
    ...files.flatMap(({ key, remarks, problem }) => [
      ...(problem === null
        ? []
        : [show`  ${styled("yellow", "!")} ${key}: ${problem.detail} ${styled("dim", `(${problem.code})`)}`]),
      ...remarks.map(
        ({ place, message }) => show`  ${styled("yellow", "!")} ${key}${place === "" ? "" : ` (${place})`}: ${message}`,
      ),
    ]),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value counts as not given. */
function isBlank(value: unknown): boolean {
  if (typeof value === "string") return value.trim() === "";
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}
