import {
  checkStorageRootFiles,
  createStorageRoot,
  layoutFiles,
  type ReadText,
  storageLayout,
} from "../../packages/ocfl/src/index.ts";
import { datasetUrn } from "../domain/uuid.ts";

const LAYOUT = storageLayout(
  "0004-hashed-n-tuple-storage-layout",
  { digestAlgorithm: "sha512", tupleSize: 3, numberOfTuples: 3, shortObjectRoot: false },
  "Hashed n-tuple storage layout: three tuples of three hex digits, then the whole SHA-512 of the object id",
);

/** The files that describe the archive's layout, by their paths in the storage root, with their whole content. */
export const LAYOUT_FILES = layoutFiles(LAYOUT);

/** The folder of the layout's extension, relative to the storage root. */
export const LAYOUT_EXTENSION = `extensions/${LAYOUT.extension}`;

/**
 * The folder of an object, relative to the storage root: three tuples of the id's SHA-512, then the whole digest (OCFL
 * community extension 0004). Every id has exactly one folder.
 */
export function objectFolder(id: string): string {
  const folder = LAYOUT.objectFolder(id);
  if (folder === undefined) throw new Error(`The layout ${LAYOUT.extension} gives every id a folder`);
  return folder;
}

/** The folder of a dataset's object, relative to the archive, without a slash at the end. */
export function datasetFolder(datasetId: string): string {
  return `ocfl/${objectFolder(datasetUrn(datasetId))}`;
}

/** Makes a folder an empty storage root of the archive's layout. Idempotent and durable, see `createStorageRoot`. */
export async function makeStorageRoot(folder: string): Promise<void> {
  await createStorageRoot(folder, LAYOUT);
}

/** Throws an Error when a storage root, wherever it is stored, is not one of the archive's layout. */
export async function checkRootFiles(root: string, read: ReadText): Promise<void> {
  await checkStorageRootFiles(root, read, LAYOUT);
}
