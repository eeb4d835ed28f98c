import { createHash } from "node:crypto";
import type { SentMetadata } from "../../db/uploads/titled.ts";
import { isBlank } from "../../domain/blank.ts";
import { Problem, type Remark } from "../../domain/problems.ts";
import { isObject, textFaults } from "../../domain/shape.ts";
import type { TitledForm } from "./read-titled-form.ts";

/** Characters of a title, as in the metadata. */
export const LONGEST_TITLE = 2_000;

/** The dataset of a file, as its form states it. */
export interface Described {
  /** Without white space around it. */
  title: string;
  metadata: SentMetadata;
  /** Folder in the dataset with a slash behind it, empty for none; undefined if the path of the form does not begin with the title. */
  folder: string | undefined;
}

/**
 * What a form says about the dataset of its file. Its `path` is the title, followed by the folder in the dataset; empty for no folder.
 * @throws Problem `malformed_json`; `invalid_request` without a title; `bad_request`
 */
export function describedBy({ metaData: text, path }: TitledForm): Described {
  const title = titleIn(text);
  let folder: string | undefined;
  if (path === "" || path === title) folder = "";
  else if (path.startsWith(`${title}/`)) folder = `${path.slice(title.length + 1)}/`;
  return { title: title.trim(), metadata: { text, digest: digestOf(text) }, folder };
}

/** By which metadata are compared that were sent with several files. */
export function digestOf(metadata: string): string {
  return createHash("sha256").update(metadata).digest("hex");
}

function titleIn(text: string): string {
  let metadata: unknown;
  try {
    metadata = JSON.parse(text);
  } catch {
    // Without a cause, because the message of the parser quotes the input.
    throw new Problem("malformed_json", "The part “metaData” is not valid JSON");
  }
  const title = isObject(metadata) ? metadata.title : undefined;
  if (typeof title !== "string" || isBlank(title)) throw wrong("required", "The title is missing.");
  if (title.length > LONGEST_TITLE) throw wrong("too_long", `The title has more than ${LONGEST_TITLE} characters.`);
  const errors = textFaults({ title }, "/metaData");
  if (errors.length > 0)
    throw new Problem("bad_request", "The title contains characters that text must not contain", { errors });
  return title;
}

function wrong(code: Remark["code"], detail: string): Problem {
  const errors = [{ pointer: "/metaData/title", code, detail }];
  return new Problem("invalid_request", "The request contains one error", { errors });
}
