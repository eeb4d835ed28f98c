import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { Problem } from "../../domain/problems.ts";
import type { SmallFile } from "../small-file.ts";

/** The name of the file that says which archive this is, in a folder or below a prefix of a bucket. */
export const IDENTITY = "archive.json";

const form = Compile(Type.Object({ id: Type.String({ pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" }) }));

/** The id in the file of an archive; undefined if there is no file. @throws Error if the file was not written by this service */
export function identityIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const id = readId(text);
  if (id !== undefined) return id;
  throw new Error(
    `The archive’s file ${IDENTITY} is damaged. Restore it from a backup; it is the same as long as the archive exists`,
  );
}

function readId(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return form.Check(value) ? value.id : undefined;
  } catch {
    // Not JSON: not a file of this service.
    return undefined;
  }
}

/**
 * The id of an archive. An archive that has none, because it is new or of an earlier release, receives one, durably.
 * @param known the id with which the database was used before
 */
export async function keepIdentity(file: SmallFile, known: string | undefined): Promise<string> {
  const found = identityIn(await file.read());
  if (found !== undefined) return found;
  const id = known ?? randomUUID();
  await file.write(`${JSON.stringify({ id })}\n`);
  return id;
}

/** @param text the file of the archive that is there now @throws Problem `archive_unwritable` if it is another one */
export function requireIdentity(text: string, id: string): void {
  if (readId(text) !== id) throw otherArchive(`its file ${IDENTITY} is damaged, or names another one`);
}

/** The archive is not the one that was opened. @param what what differs, as part of a sentence */
export function otherArchive(what: string, cause?: unknown): Problem {
  const message = `The archive is not the one that the service has opened: ${what}. Check that its file system is mounted, or that its bucket is the same`;
  return new Problem("archive_unwritable", message, { cause });
}
