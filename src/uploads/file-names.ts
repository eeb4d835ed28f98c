import { LONGEST_PATH_BYTES } from "../../packages/rules/src/index.ts";
import { inMessage } from "../domain/in-message.ts";
import { isPlainKey } from "../domain/keys-and-paths/path.ts";
import { Problem } from "../domain/problems.ts";

/** Files of an upload, so that its list has a limit also without a quota. */
export const MOST_FILES = 1_000_000;

/** Uploads that an owner may have which were not submitted. */
export const MOST_OPEN = 100;

/** @throws Problem `bad_request` if a file of an upload cannot have this path */
export function requireUploadPath(path: string): string {
  if (Buffer.byteLength(path) <= LONGEST_PATH_BYTES && isPlainKey(path) && !/\p{Cc}/u.test(path)) return path;
  const rule = `at most ${LONGEST_PATH_BYTES} bytes, no control characters, and no empty part, “.” or “..” between slashes`;
  throw new Problem("bad_request", `“${inMessage(path)}” cannot be the path of a file: it must have ${rule}`);
}

/** A SHA-512 in lower-case hex. @throws Problem `bad_request` */
export function requireSha512(stated: string): string {
  const digest = stated.toLowerCase();
  if (/^[0-9a-f]{128}$/.test(digest)) return digest;
  throw new Problem("bad_request", "“sha512” must have 128 hexadecimal digits");
}

/** Another file has the path. */
export function pathTaken(path: string, extra: { file: string }): Problem {
  const detail = `The upload has “${inMessage(path)}” already, with another size or SHA-512, or without a SHA-512`;
  return new Problem("upload_path_taken", detail, { extra });
}

/** The upload can no longer be changed, because of this submission. */
export function uploadSubmitted(submission: string): Problem {
  return new Problem("upload_submitted", `The upload belongs to the submission ${submission}`);
}
