import type { ProblemEntry } from "./entry.ts";

/** Problems of the digest lists that a submitter has sent, and of the files that they name. */
export const digestProblems = {
  digest_format_unknown: {
    title: "The format of the checksum list cannot be told",
    action:
      "State the format, or use a list of sha256sum, a manifest of a bag, or a table with the columns “path” and “sha256”.",
  },
  digest_line_invalid: {
    title: "A line of the checksum list has no checksum and path",
    action: "Correct or remove the line, or create the list again.",
  },
  digest_path_invalid: {
    title: "A line of the checksum list names no file of the source",
    action: "Create the list in the folder of the files, so that its paths are relative, or correct the line.",
  },
  digest_contradicted: {
    title: "The checksum lists state two checksums for one file",
    action: "Remove the wrong line, or create the list again.",
  },
  digest_list_empty: {
    title: "The checksum list names no selected files",
    action:
      "Check that it is the right file, that “base” is the folder to which its paths are relative, and the selection; or submit without the list.",
  },
  digest_list_unreadable: {
    fault: "submitter",
    title: "A checksum list in the source cannot be read",
    action:
      "Check the key of the list and, in a bucket, the access rights. Then retry. If the source is an upload, or the list must not be used, cancel the submission and submit again; “digests”: [] (--no-digests) ignores the manifests of a bag.",
    inStep: { waitAs: "digest_list_unreadable" },
    waiting: { days: 30 },
  },
  digest_list_invalid: {
    fault: "submitter",
    title: "A checksum list in the source is not valid",
    action:
      "Correct the list in the bucket and retry. If the source is an upload, or the list must not be used, cancel the submission and submit again; “digests”: [] (--no-digests) ignores the manifests of a bag.",
    inStep: { waitAs: "digest_list_invalid" },
    waiting: { days: 30 },
  },
  digest_files_missing: {
    fault: "submitter",
    title: "Files of the checksum lists are missing in the source",
    action:
      "Add the missing files to the bucket, or correct the list in the bucket, and retry. An upload, and a list that was sent with the submission, cannot be changed: cancel the submission, correct the files or the list, and submit again.",
    inStep: { waitAs: "digest_files_missing" },
    waiting: { days: 30 },
  },
  digest_differs: {
    fault: "submitter",
    title: "The content differs from the checksum in the checksum list",
    action:
      "Compare the file with the original. Replace the damaged file or correct the list in the bucket, and retry; or exclude the file. An upload, and a list that was sent with the submission, cannot be changed: cancel the submission, correct the file or the list, and submit again.",
  },
} as const satisfies Record<string, ProblemEntry>;
