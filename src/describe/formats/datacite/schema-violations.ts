import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { recordXml } from "./datacite-xml.ts";
import type { DoiAttributes } from "./doi-attributes.ts";

/** A violation of DataCite's XML Schema. */
export interface SchemaViolation {
  /** The property of the record, such as `creators`; null if the record as a whole is not valid. */
  property: string | null;
  /** One sentence in English. It can contain values of the metadata. */
  message: string;
}

const SCHEMA = join(import.meta.dirname, "kernel-4.7");
const NAMESPACE = "{http://datacite.org/schema/kernel-4}";
/** Maximum number of violations that are returned, and of characters in a message. */
const MOST = 5;
const LONGEST = 300;

type Library = typeof import("libxml2-wasm");
type ValidationError = InstanceType<Library["XmlValidateError"]>;

/**
 * Validates what is sent to DataCite for a DOI, as XML against DataCite's schema 4.7. DataCite receives the same record as
 * JSON, and converts it itself. The network is never used. The first call loads the validator and the schema. Results are
 * kept, because the XML of a record with 10,000 authors takes a second.
 */
export async function registrationViolations(
  doi: string,
  attributes: DoiAttributes,
): Promise<readonly SchemaViolation[]> {
  const key = createHash("sha256")
    .update(JSON.stringify([doi, attributes]))
    .digest("base64");
  const known = results.get(key);
  if (known !== undefined) return known;
  const identifiers = [{ identifier: doi, identifierType: "DOI" as const }];
  const violations = await schemaViolations(recordXml({ ...attributes, identifiers }));
  results.set(key, violations);
  return violations;
}

/** The last results, by the digest of the record. */
const results = new LRUCache<string, readonly SchemaViolation[]>({ max: 1_000 });

/** Validates an XML document against DataCite's schema 4.7. @returns at most five violations; none if it is valid */
export async function schemaViolations(xml: string): Promise<SchemaViolation[]> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return (await opened)(xml);
}

let opened: Promise<(xml: string) => SchemaViolation[]> | undefined;

/** Loads the validator only when it is needed: it takes 75 ms and up to 25 MB of memory. */
async function open(): Promise<(xml: string) => SchemaViolation[]> {
  const library = await import("libxml2-wasm");
  const validator = await openSchema(library);
  const { XmlDocument, XmlElement, XmlValidateError, ParseOption } = library;
  return (xml) => {
    // Memory of the library is not collected as garbage.
    const document = XmlDocument.fromString(xml, { option: ParseOption.XML_PARSE_NO_XXE });
    try {
      validator.validate(document);
      return [];
    } catch (error) {
      if (!(error instanceof XmlValidateError)) throw error;
      const propertyAt = (path: string) => {
        const node = document.get(path);
        return node instanceof XmlElement ? node.name : null;
      };
      return error.details.slice(0, MOST).map((detail) => violationOf(detail, propertyAt));
    } finally {
      document.dispose();
    }
  };
}

/** Parses the schema and the files that it includes, which the library reads from memory. */
async function openSchema({ XmlDocument, XsdValidator, ...library }: Library) {
  const folder = join(SCHEMA, "include");
  const names = await readdir(folder);
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const));
  const main = await readFile(join(SCHEMA, "metadata.xsd"));
  const included = files.map(([name, content]) => [`kernel-4.7/include/${name}`, content]);
  library.xmlRegisterInputProvider(new library.XmlBufferInputProvider(Object.fromEntries(included)));
  const document = XmlDocument.fromBuffer(main, { url: "kernel-4.7/metadata.xsd" });
  try {
    return XsdValidator.fromDoc(document);
  } finally {
    document.dispose();
    library.xmlCleanupInputProvider();
  }
}

function violationOf(
  { message, xpath = "" }: ValidationError["details"][number],
  propertyAt: (path: string) => string | null,
): SchemaViolation {
  const [path] = /^\/\*\/\*(?:\[\d+\])?/.exec(xpath) ?? [];
  const text = message.replaceAll(NAMESPACE, "").replace(/\s+/g, " ").trim();
  return {
    property: path === undefined ? null : propertyAt(path),
    message: text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text,
  };
}
