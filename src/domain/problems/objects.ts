import type { StepEntry } from "./entry.ts";

/** Problems of single objects. They are recorded with their object and do not stop a submission before all others are stored. */
export const objects = {
  object_gone: {
    fault: "submitter",
    title: "The object vanished before it was read",
    action: "Put it back and retry, or exclude it.",
    inStep: "retry",
  },
  object_changed: {
    fault: "submitter",
    title: "The object was overwritten before it was read",
    action: "Retry to take the new content, or exclude it.",
    inStep: "retry",
  },
  object_denied: {
    fault: "submitter",
    title: "These credentials may not read the object",
    action: "Give them the right and retry, or exclude the object.",
    inStep: "retry",
  },
  object_archived: {
    fault: "submitter",
    title: "The object lies in an archive storage class",
    action: "Restore it and retry, or exclude it.",
    inStep: "retry",
  },
  object_encrypted: {
    fault: "submitter",
    title: "The object is encrypted with a key of the customer’s own",
    action: "Store it without customer-provided encryption and retry, or exclude it.",
    inStep: "retry",
  },
  object_length_wrong: {
    fault: "source",
    title: "The server sends another number of bytes than it lists",
    action: "Retry; if it lasts ask whoever runs the storage, or exclude the object.",
    inStep: "retry",
  },
  object_unreadable: {
    fault: "source",
    title: "The server refuses to send the object",
    action: "Retry; if it lasts ask whoever runs the storage, or exclude the object.",
    inStep: "retry",
  },
  source_corrupt: {
    fault: "source",
    title: "The object’s bytes do not match the digest the server states",
    action: "The stored object is damaged: restore it from another copy and retry, or exclude it.",
    inStep: "retry",
  },
  objects_unreadable: {
    fault: "submitter",
    title: "Some objects cannot be read",
    action: "Mend them and retry, or exclude them.",
    inStep: { waitAs: "objects_unreadable" },
    waiting: { days: 30 },
  },
} as const satisfies Record<string, StepEntry>;
