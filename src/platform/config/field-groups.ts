import { readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import type { FieldGroup } from "../../describe/metadata/fields/field.ts";
import { InvalidFieldSchema, MOST_SCHEMA_BYTES, readFieldSchema } from "../../describe/metadata/fields/read-schema.ts";
import { listOf, parseText, SettingError } from "./parse.ts";

const GROUP_NAME = /^[a-z][a-z0-9-]{0,31}$/;
const MOST_GROUPS = 20;

/**
 * Reads the schema files of the operator's fields, in the order in which they are listed.
 * @throws SettingError with all files that cannot be used, and the place in each
 */
export function readFieldGroups(list: string): FieldGroup[] {
  const problems: string[] = [];
  const groups = listOf(parseText)(list).flatMap((file) => {
    try {
      return [readGroup(file)];
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      problems.push(error.message);
      return [];
    }
  });
  if (groups.length > MOST_GROUPS) problems.push(`names more than ${MOST_GROUPS} files`);
  const repeated = groups.find(({ name }, index) => groups.findIndex((other) => other.name === name) < index);
  if (repeated !== undefined) problems.push(`names two files for the group “${repeated.name}”`);
  if (problems.length > 0) throw new SettingError(problems.join("; it "));
  return groups;
}

function readGroup(file: string): FieldGroup {
  const name = basename(file).replace(/(\.schema)?\.json$/, "");
  if (!GROUP_NAME.test(name) || name in {}) {
    throw new SettingError(
      `names the file “${file}”; such a file’s name must have at most 32 lower-case letters, digits and “-”, begin with a letter and end with .json`,
    );
  }
  try {
    return readFieldSchema(name, textOf(file));
  } catch (error) {
    if (!(error instanceof InvalidFieldSchema)) throw error;
    const place = error.pointer === "" ? "" : ` at ${error.pointer}`;
    throw new SettingError(`names the file “${file}”, which is not a valid schema${place}: ${error.message}`);
  }
}

function textOf(file: string): string {
  try {
    // A device without end, such as /dev/zero, would fill the memory.
    const found = statSync(file);
    if (!found.isFile()) throw new InvalidFieldSchema("", "It is not a file.");
    if (found.size > MOST_SCHEMA_BYTES) {
      throw new InvalidFieldSchema("", `The file has more than ${MOST_SCHEMA_BYTES / 2 ** 10} KiB.`);
    }
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof InvalidFieldSchema) throw error;
    if (error instanceof TypeError) throw new InvalidFieldSchema("", "The file is not UTF-8.");
    throw new SettingError(
      `names the file “${file}”, which cannot be read: ${reasonOf(error as NodeJS.ErrnoException)}`,
    );
  }
}

function reasonOf({ code = "", message }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? (code || message);
}

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EACCES: "the user of the service has no permission to read it",
  EPERM: "the user of the service has no permission to read it",
};
