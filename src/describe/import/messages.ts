import type { FileKind } from "./file-kinds.ts";
import type { Imported } from "./imported.ts";

/** The messages between `MetadataImporter` and its thread. */
export interface ImportMessages {
  request: { kind: FileKind; bytes: Uint8Array };
  /** The values, or the message of the Problem `metadata_file_invalid`. */
  result: { imported: Imported } | { refusal: string };
  toCall: never;
  /** The thread has loaded its code, and parses now. */
  fromCall: "begun";
  toThread: never;
  fromThread: never;
}
