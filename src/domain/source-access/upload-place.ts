import { join } from "node:path";
import type { SourceAccess } from "./access.ts";

/** The files of an upload area as the source of a submission. Plain data. */
export interface UploadPlace {
  kind: "upload";
  /** The folder of the area. */
  folder: string;
  /** The submission that reads it. */
  submission: string;
}

/** Access to a source of any kind. */
export type AnyAccess = SourceAccess | UploadPlace;

export function isUpload(access: AnyAccess): access is UploadPlace {
  return "kind" in access;
}

/** What the columns of a submission that name its bucket contain for an upload: this, and the id of the area. */
export const UPLOAD = "upload";

/** The area of a submission; undefined if its source is a bucket. */
export function areaOf({ endpoint, bucket }: { endpoint: string; bucket: string }): string | undefined {
  return endpoint === UPLOAD ? bucket : undefined;
}

/** @param root the folder of all areas */
export function placeOfArea(root: string, area: string, submission: string): UploadPlace {
  return { kind: "upload", folder: join(root, area), submission };
}
