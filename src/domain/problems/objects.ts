import type { Entry } from "./entry.ts";

/** What keeps a single object from being taken. */
export const objects = {
  object_gone: {
    fault: "submitter",
    title: "The object vanished before it was read",
    action: "Put it back and retry, or exclude it.",
  },
  object_changed: {
    fault: "submitter",
    title: "The object was overwritten before it was read",
    action: "Retry to take the new content, or exclude it.",
  },
  object_denied: {
    fault: "submitter",
    title: "These credentials may not read the object",
    action: "Give them the right and retry, or exclude the object.",
  },
  object_archived: {
    fault: "submitter",
    title: "The object lies in an archive storage class",
    action: "Restore it and retry, or exclude it.",
  },
  object_encrypted: {
    fault: "submitter",
    title: "The object is encrypted with a key of the customer’s own",
    action: "Store it without customer-provided encryption and retry, or exclude it.",
  },
  object_length_wrong: {
    fault: "source",
    title: "The server sends another number of bytes than it lists",
    action: "Retry; if it lasts ask whoever runs the storage, or exclude the object.",
  },
  object_unreadable: {
    fault: "source",
    title: "The server refuses to send the object",
    action: "Retry; if it lasts ask whoever runs the storage, or exclude the object.",
  },
  source_corrupt: {
    fault: "source",
    title: "The object’s bytes do not match the digest the server states",
    action: "The stored object is damaged: restore it from another copy and retry, or exclude it.",
  },
  objects_unreadable: {
    fault: "submitter",
    title: "Some objects cannot be read",
    action: "Mend them and retry, or exclude them.",
  },
} as const satisfies Record<string, Entry>;
