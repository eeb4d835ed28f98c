import type { components, Remark } from "../../packages/client/src/index.ts";
import { InvalidFileError } from "../describe/import/reading/invalid-file.ts";
import { readJson } from "../describe/import/reading/json.ts";
import { Failure, problemOf } from "./terminal/failure.ts";
import { describeProblem } from "./terminal/problem.ts";
import { readInput } from "./terminal/read-input.ts";
import { show } from "./terminal/text.ts";

type DigestList = components["schemas"]["DigestList"];

/** Reads metadata as JSON. @param file `-` for standard input. @throws Failure if it cannot be read or is not JSON */
export async function readMetadata(file: string): Promise<unknown> {
  const name = file === "-" ? "standard input" : file;
  const content = await readInput(file, "The metadata in");
  const metadata = parse(content.replace(/^\uFEFF/, ""), name);
  if (isAnswer(metadata)) {
    throw new Failure(
      2,
      show`The metadata in ${name} are inside the member “metadata”, as in the output of “accession dataset metadata --json”. Use only this member: jq .metadata`,
    );
  }
  return metadata;
}

/** @throws Failure with line and column. Messages of `JSON.parse` quote the file, and often lack the place */
function parse(content: string, name: string): unknown {
  if (content.trim() === "") throw new Failure(2, show`The metadata in ${name} are empty. JSON is expected.`);
  try {
    return readJson(content);
  } catch (error) {
    if (!(error instanceof InvalidFileError)) throw error;
    const place = error.place === undefined ? "" : ` (${error.place})`;
    throw new Failure(2, show`The metadata in ${name} cannot be used${place}: ${error.message}`, { cause: error });
  }
}

/** The options that state members of a request. */
const OPTIONS: Record<string, string> = {
  "/dataset": "--dataset",
  "/dataset/id": "--dataset",
  "/notify/email": "--notify",
  "/reserveDoi": "--reserve-doi",
};

/** The remark with the option or the name of the checksum list that it is about, or its place in the metadata. */
function atPrompt(remark: Remark, lists: readonly DigestList[]): Remark {
  const option = OPTIONS[remark.pointer];
  if (option !== undefined) return { ...remark, pointer: option };
  const [, no] = /^\/digests\/(\d+)(?:\/|$)/.exec(remark.pointer) ?? [];
  const list = no === undefined ? undefined : lists[Number(no)];
  return list === undefined ? inMetadata(remark) : { ...remark, pointer: list.name ?? list.key ?? "standard input" };
}

/** Whether a value is an answer of the service that contains metadata. */
function isAnswer(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Object.hasOwn(value, "title")) return false;
  const { metadata } = value as { metadata?: unknown };
  return typeof metadata === "object" && metadata !== null;
}

/** The remark with its place in the metadata, instead of that in the request. */
export function inMetadata<R extends Pick<Remark, "pointer">>(remark: R): R {
  return { ...remark, pointer: remark.pointer.replace(/^\/metadata(?=\/|$)/, "") };
}

/**
 * Runs a request with metadata. Its errors name the places in the metadata, and the checksum lists by their names.
 * @throws Failure
 */
export async function askAboutMetadata<T>(request: Promise<T>, lists: readonly DigestList[] = []): Promise<T> {
  try {
    return await request;
  } catch (error) {
    const problem = problemOf(error);
    if (!(error instanceof Failure) || problem?.errors === undefined) throw error;
    const lines = describeProblem({ ...problem, errors: problem.errors.map((one) => atPrompt(one, lists)) });
    throw new Failure(error.exitCode, lines, { data: error.data, cause: error.cause });
  }
}
