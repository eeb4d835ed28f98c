import { FIRST_PROBE_MS, type ProblemEntry } from "./entry.ts";

/** Problems of uploads to this service. */
export const uploadProblems = {
  uploads_off: {
    fault: "operator",
    status: 501,
    title: "This service does not accept uploads",
    action: "Submit a bucket. The operator can allow uploads (ACCESSION_UPLOADS).",
  },
  upload_offset_wrong: {
    status: 409,
    title: "The service has another number of bytes of the file",
    action: "Ask for the number with HEAD, and send the bytes that follow.",
  },
  upload_taken_over: {
    status: 423,
    title: "Another program or window sends the file now",
    action: "Continue there, or close the other window or program. The bytes that arrived before are kept.",
  },
  upload_too_long: {
    status: 413,
    title: "The client sent more bytes than the file has",
    action: "The file may have been changed while it was sent. Remove it from the upload, and send it again.",
  },
  upload_checksum_wrong: {
    status: 460,
    title: "The bytes were damaged during the transfer",
    action: "Send them again. The service stored none of them.",
  },
  upload_digest_wrong: {
    status: 460,
    title: "The file differs from its SHA-512",
    action:
      "The bytes were damaged during the transfer, the file was changed while it was sent, or the SHA-512 is wrong. Send the whole file again; for another SHA-512, remove it first.",
  },
  upload_path_taken: {
    status: 409,
    title: "The upload has another file with this path",
    action:
      "Remove that file first, or choose another path. To continue that file, send the rest to its address in “file”.",
  },
  upload_needs_tus: {
    status: 413,
    title: "The file is too large for a batch",
    action: "Send files of more than 8 MiB by the tus protocol, to the address in “files” of the upload.",
  },
  upload_submitted: {
    status: 409,
    title: "The upload belongs to a submission and cannot be changed",
    action: "Create another upload for other files.",
  },
  upload_incomplete: {
    status: 409,
    title: "Files of the upload are not complete",
    action: "Send the rest of these files, join parts to files, or remove them from the upload.",
  },
  upload_arriving: {
    status: 409,
    title: "Files are still arriving",
    action: "Submit again in a moment, when all files have been sent.",
    retryable: true,
  },
  upload_changed: {
    status: 409,
    title: "The upload has other files than when you last saw it",
    action:
      "Another program or window has added, replaced or removed files. Look at the files of the upload, and submit it when no program changes it.",
  },
  upload_metadata_differ: {
    status: 409,
    title: "Files of the upload were sent with different metadata",
    action:
      "Send these files again with the same metadata as the others, or remove them from the upload, or delete the upload.",
  },
  upload_too_many_files: {
    status: 409,
    title: "The upload has 1,000,000 files, and cannot have more",
    action: "Pack small files into archives, or create another upload for the other files.",
  },
  upload_too_many_parts: {
    status: 409,
    title: "The upload has 1,000 parts that were not joined, and cannot have more",
    action:
      "Join parts to files (Upload-Concat), or delete those that are no longer needed: GET /uploads/{id}/files?parts=true lists them.",
  },
  upload_joined: {
    status: 403,
    title: "The file was joined from parts, and cannot get more bytes",
    action: "Delete the file first, to send it again.",
  },
  upload_empty: {
    status: 409,
    title: "The upload has no files",
    action: "Send at least one file.",
  },
  too_many_uploads: {
    status: 409,
    title: "You have too many uploads",
    action: "Submit or delete uploads that are no longer needed.",
  },
  tus_version_unknown: {
    status: 412,
    title: "The service does not support this version of the tus protocol",
    action: "Use a client for version 1.0.0 of the protocol.",
  },
  upload_unreadable: {
    fault: "operator",
    title: "The service cannot read the files of the upload",
    action: "The operator must check the folder of uploads (ACCESSION_UPLOADS), and that all processes have it.",
    inStep: { waitAs: "upload_unreadable" },
    waiting: { days: 30, daysIfCommitted: 36_500, probeInMs: FIRST_PROBE_MS },
    retryable: true,
  },
} as const satisfies Record<string, ProblemEntry>;
