/**
 * Reading, writing and validating OCFL 1.0 and 1.1 (https://ocfl.io). This file is the public interface of the package.
 */

// Validation
export type {
  AdditionalCode,
  ObjectChecks,
  ParsedObject,
  ReportFinding,
  StorageRootChecks,
} from "./additional-checks.ts";
export {
  type Advice,
  advice,
  type CodeEntry,
  codes,
  isError,
  type OcflCode,
  referenceOf,
  unreportedCodes,
} from "./codes.ts";
export { type Finding, findingRecord, findingsByCode } from "./findings.ts";
export { identifyFolder, type OcflFolder } from "./identify-folder.ts";
// Reading
export { ContentByDigest } from "./inventory/content-by-digest.ts";
// Writing
export { addEarlierVersions } from "./inventory/earlier-versions.ts";
export {
  type InventoryFile,
  type InventoryHead,
  type InventoryWriter,
  openInventory,
  writeObjectDeclaration,
  writeSidecar,
} from "./inventory/inventory-writer.ts";
export {
  findContentPath,
  type InventorySummary,
  readInventorySummary,
  readManifest,
  readVersion,
  type VersionFile,
  type VersionSummary,
} from "./inventory/read-inventory.ts";
// Files: the underlying functions, for callers that also process millions of files
export { type Digester, digester, KNOWN_ALGORITHMS } from "./io/digests.ts";
export { makeFolder, syncFolder, writeDurably } from "./io/durable-files.ts";
export { HashTable, SetFingerprint } from "./io/hash-table.ts";
export { HashedFile, type WrittenFile } from "./io/hashed-file.ts";
export { InvalidJson } from "./io/read-json.ts";
export { digestFile, OPEN_FLAGS, RegularFiles } from "./io/regular-files.ts";
export { type EntryKind, entriesOf, type WalkEntry, walk } from "./io/walk.ts";
export {
  InvalidLayoutParameter,
  type LayoutParameters,
  type StorageLayout,
  SUPPORTED_LAYOUTS,
  storageLayout,
} from "./layouts/storage-layouts.ts";
export {
  checkStorageRoot,
  checkStorageRootFiles,
  createStorageRoot,
  layoutFiles,
  type ReadText,
  ROOT_DECLARATION,
} from "./layouts/storage-root.ts";
export { type ObjectOptions, type ObjectReport, validateObject } from "./validate-object.ts";
export { type StorageRootOptions, type StorageRootReport, validateStorageRoot } from "./validate-storage-root.ts";
export type { ContentSlice } from "./validation/content-check.ts";
export type { ContentSource } from "./validation/content-source.ts";
export { isDeclaration } from "./validation/declarations.ts";
