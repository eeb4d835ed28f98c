import type { VersionInventory } from "../archive/inventory-lines.ts";
import type { ByteRange } from "../archive/reader.ts";
import type { ServiceFile } from "../archive/service-files.ts";
import type { Code } from "../domain/problems.ts";
import type { BagInfo } from "./bag.ts";
import type { StoredFile } from "./contents.ts";

/**
 * A request to a thread. Bytes are sent as they are pulled; the files of a ZIP are sent when the thread requests them.
 */
export type Order = { dataset: string; version: VersionInventory } & (
  | { kind: "file"; file: StoredFile; range?: ByteRange }
  | { kind: "zip" }
  | { kind: "bag"; base: string; info: BagInfo; created: Date; marker: string }
  | { kind: "service files" }
);

/** An order for bytes. */
export type BytesOrder = Exclude<Order, { kind: "service files" }>;
export type ServiceFilesOrder = Extract<Order, { kind: "service files" }>;

/** Messages of an export thread; a call is an order. */
export interface ExportMessages {
  request: Order;
  /** The version's service files, if they were requested. */
  result: { serviceFiles?: ServiceFile[] } | { failed: { code: Code; detail: string } };
  /** `pull` requests one more piece; `files` answers `wantsFiles`, and is undefined after the last. */
  toCall: "pull" | { files: StoredFile[] | undefined };
  fromCall: { bytes: Uint8Array<ArrayBuffer> } | "wantsFiles";
  toThread: never;
  fromThread: never;
}
