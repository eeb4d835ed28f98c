import type { VersionInventory } from "../archive/inventory-lines.ts";
import type { ByteRange } from "../archive/reader.ts";
import type { Code } from "../domain/problems.ts";
import type { BagInfo } from "./bag.ts";
import type { ServedFile, StoredFile } from "./contents.ts";

/**
 * A request to a thread. Bytes are sent while there is free memory; the files of a ZIP are sent when the thread requests them.
 */
export type Order = { dataset: string; version: VersionInventory } & (
  | { kind: "file"; file: StoredFile; range?: ByteRange }
  | { kind: "zip" }
  | { kind: "bag"; base: string; info: BagInfo; created: Date; marker: string }
  /** With `isPublic`, as the public gets them without details of the source. */
  | { kind: "service files"; isPublic: boolean }
);

/** An order for bytes. */
export type BytesOrder = Exclude<Order, { kind: "service files" }>;
export type ServiceFilesOrder = Extract<Order, { kind: "service files" }>;

/**
 * Memory for the pieces of an order, which the thread fills one after the other, and again from the beginning when they are
 * free.
 */
export interface PieceMemory {
  shared: SharedArrayBuffer;
  /** Largest size of a piece. */
  pieceBytes: number;
}

const PIECE_BYTES = 512 << 10;
/** Pieces that wait for a slow receiver, or are being read while earlier ones are sent. */
const PIECES = 3;

/** @param bytes size of all that will be sent, if it is known */
export function pieceMemory(bytes = PIECES * PIECE_BYTES): PieceMemory {
  const pieceBytes = Math.max(1, Math.min(PIECE_BYTES, bytes));
  const pieces = Math.max(1, Math.min(PIECES, Math.ceil(bytes / pieceBytes)));
  return { shared: new SharedArrayBuffer(pieces * pieceBytes), pieceBytes };
}

/** Number of pieces for which there is memory. */
export function piecesIn({ shared, pieceBytes }: PieceMemory): number {
  return shared.byteLength / pieceBytes;
}

/** The memory of the piece with this number, counted from 0. */
export function pieceOf(memory: PieceMemory, number: number, bytes = memory.pieceBytes): Uint8Array {
  const { shared, pieceBytes } = memory;
  return new Uint8Array(shared, (number % piecesIn(memory)) * pieceBytes, bytes);
}

/** Messages of an export thread; a call is an order. */
export interface ExportMessages {
  request: ServiceFilesOrder | (BytesOrder & { memory: PieceMemory });
  /** The version's service files, if they were requested. */
  result: { serviceFiles?: ServedFile[] } | { failed: { code: Code; detail: string; cause?: string } };
  /** `free`: the memory of the oldest piece can be used again; `files` answers `wantsFiles`, and is undefined after the last. */
  toCall: "free" | { files: StoredFile[] | undefined };
  /** Size of the next piece, which is in its memory. */
  fromCall: { bytes: number } | "wantsFiles";
  toThread: never;
  fromThread: never;
}
