import type { VersionInventory } from "../archive/inventory-lines.ts";
import type { ByteRange } from "../archive/reader.ts";
import type { OwnFile } from "../archive/service-files.ts";
import type { Code } from "../domain/problems.ts";
import type { BagInfo } from "./bag.ts";
import type { StoredFile } from "./contents.ts";

/** What a thread is asked for. Bytes come as they are pulled; the files of a ZIP are told when it wants them. */
export type Order = { dataset: string; version: VersionInventory } & (
  | { kind: "file"; file: StoredFile; range?: ByteRange }
  | { kind: "zip" }
  | { kind: "bag"; base: string; info: BagInfo; created: Date; marker: string }
  | { kind: "own files" }
);

/** An order for bytes. */
export type BytesOrder = Exclude<Order, { kind: "own files" }>;
export type OwnFilesOrder = Extract<Order, { kind: "own files" }>;

/** To the thread, through the port of the order. Whoever closes the port wants nothing more. */
export type ToThread = { pull: true } | { files: StoredFile[] | undefined };

/** From the thread. An answer to a pull is bytes or the end; that it wants files may come before. */
export type FromThread =
  | { bytes: Uint8Array<ArrayBuffer> }
  | { wants: "files" }
  | { ended: true; ownFiles?: OwnFile[] }
  | { failed: { code: Code; detail: string } };
