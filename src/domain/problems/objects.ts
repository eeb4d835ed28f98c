import type { ProblemEntry } from "./entry.ts";

/** Problems of single objects. They are recorded with their object and do not stop a submission before all others are stored. */
export const objects = {
  object_gone: {
    fault: "submitter",
    title: "The object was deleted before it was read",
    action:
      "Restore the object and retry, or exclude it. An uploaded file cannot be restored: exclude it, or cancel the submission and send it to a new upload.",
  },
  object_changed: {
    fault: "submitter",
    title: "The object was overwritten before it was read",
    action: "To archive the new content, retry. Otherwise exclude the object.",
  },
  object_denied: {
    fault: "submitter",
    title: "These credentials do not permit reading the object",
    action: "Ask the administrator of the bucket for read access and retry, or exclude the object.",
  },
  object_key_denied: {
    fault: "submitter",
    title: "The KMS key with which the object is encrypted cannot be used",
    action:
      "Ask the administrator of the KMS key to add the permission kms:Decrypt for these credentials, and to check that the key is enabled. Then retry, or exclude the object.",
  },
  object_archived: {
    fault: "submitter",
    title: "The object is in a storage class such as Glacier, which cannot be read directly",
    action: "Restore the object in the console of the storage provider and retry, or exclude it.",
  },
  object_encrypted: {
    fault: "submitter",
    title: "The object is encrypted with a key that only its owner has (SSE-C)",
    action: "The service cannot read it. Upload the object again without this encryption and retry, or exclude it.",
  },
  object_length_wrong: {
    fault: "source",
    title: "The server sends a different number of bytes than it lists",
    action: "Retry. If it happens again, ask the storage provider or exclude the object.",
  },
  object_unreadable: {
    fault: "source",
    title: "The server does not return the object",
    action: "Retry. If it happens again, ask the storage provider or exclude the object.",
  },
  source_corrupt: {
    fault: "source",
    title: "The object’s content does not match the checksum that the server reports",
    action:
      "The stored object is damaged. Restore it from another copy and retry, or exclude it. An uploaded file cannot be restored: exclude it, or cancel the submission and send it to a new upload.",
  },
  objects_unreadable: {
    fault: "submitter",
    title: "Some objects cannot be read",
    action:
      "Each object states the cause. Fix it and retry, or exclude the objects from the dataset. An uploaded file cannot be changed: to replace it, cancel the submission and send the folder again.",
    inStep: { waitAs: "objects_unreadable" },
    waiting: { days: 30 },
  },
} as const satisfies Record<string, ProblemEntry>;
