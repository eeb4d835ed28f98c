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

/** Messages of an export thread; a call is an order. */
export interface ExportMessages {
  request: Order;
  /** The version's own files where they were asked for. */
  result: { ownFiles?: OwnFile[] } | { failed: { code: Code; detail: string } };
  /** `pull` asks for one more piece; `files` answers `wantsFiles`, without any after the last. */
  toCall: "pull" | { files: StoredFile[] | undefined };
  fromCall: { bytes: Uint8Array<ArrayBuffer> } | "wantsFiles";
  toThread: never;
  fromThread: never;
}
