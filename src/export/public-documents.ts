import { isFieldFile } from "../archive/service-files.ts";
import { crateWithoutManifest } from "../describe/formats/ro-crate/ro-crate.ts";

/** How the public gets a file that the service made: as it is archived, or in a reduced form. */
type Form = "archived" | ((archived: string) => string);

/**
 * The files that the public gets of those that the service made, unless the owner shows the source. None of them contains
 * details of the source, the submission or accounts. All other files are left out, such as the source manifest.
 */
const PUBLIC_DOCUMENTS: Readonly<Record<string, Form>> = {
  "metadata/datacite.json": "archived",
  "metadata/datacite.xml": "archived",
  "metadata/submission.json": onlyMetadata,
  "ro-crate-metadata.json": crateWithoutManifest,
};

/** How the public gets the file with this logical path; undefined if it does not get it. */
export function publicFormOf(path: string): Form | undefined {
  if (Object.hasOwn(PUBLIC_DOCUMENTS, path)) return PUBLIC_DOCUMENTS[path];
  return isFieldFile(path) ? "archived" : undefined;
}

/** The bytes that the public gets of a file with this logical path. */
export function publicBytes(path: string, archived: Buffer): Buffer {
  const form = publicFormOf(path);
  return typeof form === "function" ? Buffer.from(form(archived.toString("utf8"))) : archived;
}

/** `metadata/submission.json` without the source and the submission. */
function onlyMetadata(archived: string): string {
  const { dataset, metadata } = JSON.parse(archived) as Record<string, unknown>;
  return `${JSON.stringify({ dataset, metadata }, null, 2)}\n`;
}
