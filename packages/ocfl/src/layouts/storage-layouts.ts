import { digester, digitsOf, KNOWN_ALGORITHMS } from "../io/digests.ts";

/**
 * Returns the folder of an object, relative to the storage root; undefined for an id for which the layout has no
 * folder.
 */
export type ObjectFolderOf = (id: string) => string | undefined;

/** The parameters of a layout's extension, from its `config.json`. */
export type LayoutParameters = Readonly<Record<string, unknown>>;

/** A parameter has a value that the extension does not allow. */
export class InvalidLayoutParameter extends Error {
  override readonly name = "InvalidLayoutParameter";
}

/** The supported layouts by their registered names (https://ocfl.github.io/extensions/). */
const LAYOUTS: Readonly<Record<string, (parameters: LayoutParameters) => ObjectFolderOf>> = {
  "0002-flat-direct-storage-layout": () => (id) => id,
  "0003-hash-and-id-n-tuple-storage-layout": hashAndId,
  "0004-hashed-n-tuple-storage-layout": hashed,
  "0006-flat-omit-prefix-storage-layout": (parameters) => withoutPrefix(text(parameters, "delimiter")),
  "0007-n-tuple-omit-prefix-storage-layout": tuplesWithoutPrefix,
};

/** The registered names of the layouts that {@link storageLayout} supports. */
export const SUPPORTED_LAYOUTS: readonly string[] = Object.keys(LAYOUTS);

/** A storage layout with its parameters. */
export interface StorageLayout {
  /** The registered name of its extension. */
  extension: string;
  description: string;
  parameters: LayoutParameters;
  /** The folder of an object, relative to the storage root; undefined for an id for which the layout has no folder. */
  objectFolder: ObjectFolderOf;
}

/**
 * A supported layout, for instance `storageLayout("0004-hashed-n-tuple-storage-layout", { digestAlgorithm: "sha512"
 * })`.
 *
 * @param description for people; written to `ocfl_layout.json`
 * @throws InvalidLayoutParameter for parameters that the extension does not allow
 * @throws Error for an extension that is not supported
 */
export function storageLayout(
  extension: string,
  parameters: LayoutParameters = {},
  description: string = extension,
): StorageLayout {
  const objectFolder = objectFolderOf(extension, parameters);
  if (objectFolder === undefined) throw new Error(`The storage layout ${extension} is not supported`);
  return { extension, description, parameters, objectFolder };
}

/**
 * The function that maps ids to folders; undefined for a layout that is not supported.
 *
 * @throws InvalidLayoutParameter
 */
export function objectFolderOf(extension: string, parameters: LayoutParameters): ObjectFolderOf | undefined {
  return Object.hasOwn(LAYOUTS, extension) ? LAYOUTS[extension]?.(parameters) : undefined;
}

function hashed(parameters: LayoutParameters): ObjectFolderOf {
  const { digest, tuplesOf, used } = tuples(parameters);
  const isShort = parameters.shortObjectRoot === true;
  return (id) => {
    const whole = digest(id);
    return [...tuplesOf(whole), isShort ? whole.slice(used) : whole].join("/");
  };
}

/** Longer encoded ids are truncated, and the digest makes them unique. */
const ENCODED = 100;

function hashAndId(parameters: LayoutParameters): ObjectFolderOf {
  const { digest, tuplesOf } = tuples(parameters);
  return (id) => {
    const whole = digest(id);
    const encoded = [...Buffer.from(id, "utf8")].map(encode).join("");
    const name = encoded.length > ENCODED ? `${encoded.slice(0, ENCODED)}-${whole}` : encoded;
    return [...tuplesOf(whole), name].join("/");
  };
}

function encode(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[A-Za-z0-9_-]/.test(character) ? character : `%${byte.toString(16).padStart(2, "0")}`;
}

function tuples(parameters: LayoutParameters) {
  const algorithm = text(parameters, "digestAlgorithm", "sha256");
  const size = count(parameters, "tupleSize", 3, 0);
  const number = count(parameters, "numberOfTuples", 3, 0);
  const digits = digitsOf(algorithm);
  if (!KNOWN_ALGORITHMS.includes(algorithm) || digits === undefined)
    throw new InvalidLayoutParameter("digestAlgorithm");
  if ((size === 0) !== (number === 0) || size * number > digits)
    throw new InvalidLayoutParameter("tupleSize, numberOfTuples");
  return {
    used: size * number,
    tuplesOf: (whole: string) => slices(whole, size, number),
    digest(id: string) {
      const hash = digester(algorithm);
      hash.update(Buffer.from(id, "utf8"));
      return hash.digest();
    },
  };
}

function tuplesWithoutPrefix(parameters: LayoutParameters): ObjectFolderOf {
  const omit = withoutPrefix(text(parameters, "delimiter", ":"));
  const size = count(parameters, "tupleSize", 3, 1);
  const number = count(parameters, "numberOfTuples", 3, 1);
  const padding = text(parameters, "zeroPadding", "left");
  if (padding !== "left" && padding !== "right") throw new InvalidLayoutParameter("zeroPadding");
  return (id) => {
    const rest = omit(id);
    // The layout is defined only for this part of ASCII.
    if (rest === undefined || !/^[\x20-\x7f]+$/.test(id)) return undefined;
    const length = size * number;
    const padded = padding === "left" ? rest.padStart(length, "0") : rest.padEnd(length, "0");
    const source = parameters.reverseObjectRoot === true ? [...padded].reverse().join("") : padded;
    return [...slices(source, size, number), rest].join("/");
  };
}

/** The part of the id after the last delimiter, in upper or lower case; the whole id if it has none. */
function withoutPrefix(delimiter: string): ObjectFolderOf {
  return (id) => {
    const at = id.toLowerCase().lastIndexOf(delimiter.toLowerCase());
    const rest = at === -1 ? id : id.slice(at + delimiter.length);
    return rest === "" ? undefined : rest;
  };
}

function slices(source: string, size: number, number: number): string[] {
  return Array.from({ length: number }, (_, index) => source.slice(index * size, (index + 1) * size));
}

function text(parameters: LayoutParameters, name: string, fallback?: string): string {
  const value = parameters[name] ?? fallback;
  if (typeof value !== "string" || value === "") throw new InvalidLayoutParameter(name);
  return value;
}

function count(parameters: LayoutParameters, name: string, fallback: number, least: number): number {
  const value = parameters[name] ?? fallback;
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > 32)
    throw new InvalidLayoutParameter(name);
  return value;
}
