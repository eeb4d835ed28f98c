import { MAX_METADATA_FILE_BYTES } from "../../../packages/rules/src/index.ts";
import { size } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import { Draft } from "./draft.ts";
import { type FileKind, kindTitle } from "./file-kinds.ts";
import { fromBids } from "./formats/bids.ts";
import { fromCff } from "./formats/cff.ts";
import { fromCsl } from "./formats/csl.ts";
import { fromDataciteJson } from "./formats/datacite.ts";
import { fromDataciteXml } from "./formats/datacite-xml.ts";
import { fromDatapackage } from "./formats/datapackage.ts";
import { fromIsaTab } from "./formats/isa-tab.ts";
import { fromReadme } from "./formats/readme.ts";
import { fromCodemeta, fromSchemaOrg } from "./formats/schema-org/schema-org.ts";
import type { Imported } from "./imported.ts";
import { FileValue } from "./reading/file-value.ts";
import { InvalidFileError } from "./reading/invalid-file.ts";
import { readJson } from "./reading/json.ts";
import { readTable } from "./reading/table.ts";
import { decodeText, xmlEncoding } from "./reading/text.ts";
import { readXml } from "./reading/xml.ts";
import { readYaml } from "./reading/yaml.ts";

const parsers: Record<FileKind, (text: string, draft: Draft) => void> = {
  "datacite-json": (text, draft) => fromDataciteJson(members(readJson(text)), draft),
  "datacite-xml": (text, draft) => fromDataciteXml(readXml(text), draft),
  "ro-crate": (text, draft) => fromRoCrate(members(readJson(text)), draft),
  cff: (text, draft) => fromCff(members(readYaml(text)), draft),
  codemeta: (text, draft) => fromCodemeta(members(readJson(text)), draft),
  "isa-tab": (text, draft) => fromIsaTab(readTable(text), draft),
  datapackage: (text, draft) => fromDatapackage(members(readJson(text)), draft),
  bids: (text, draft) => fromBids(members(readJson(text)), draft),
  csl: (text, draft) => fromCsl(members(readJson(text), { orList: true }), draft),
  readme: fromReadme,
};

/**
 * Reads a metadata file and suggests values for the metadata of the dataset. Values that `checkMetadata` would refuse are not
 * used, and the remarks list them. If the file states no creator, `authors` is absent or contains only other roles.
 * @throws Problem `metadata_file_invalid` if the file is too large or malformed; the message does not quote the file
 */
export function readMetadataFile(kind: FileKind, bytes: Uint8Array): Imported {
  const draft = new Draft();
  try {
    if (bytes.length > MAX_METADATA_FILE_BYTES) {
      throw new InvalidFileError(
        `The file has ${size(bytes.length)}. The maximum is ${size(MAX_METADATA_FILE_BYTES)}.`,
      );
    }
    const { text, isAssumed } = decodeText(bytes, kind === "datacite-xml" ? xmlEncoding(bytes) : undefined);
    if (isAssumed && kind !== "isa-tab") {
      draft.remark("", "The file is not UTF-8. It is read as Windows-1252 (Latin-1); check the letters with accents.");
    }
    parsers[kind](text, draft);
  } catch (error) {
    if (!(error instanceof InvalidFileError)) throw error;
    const place = error.place === undefined ? "" : ` (${error.place})`;
    const detail = `The ${kindTitle(kind)} cannot be read${place}: ${error.message}`;
    throw new Problem("metadata_file_invalid", detail, { cause: error });
  }
  const imported = draft.finish();
  if (Object.keys(imported.values).length > 0 || imported.remarks.length > 0) return imported;
  return { ...imported, remarks: [{ place: "", message: "The file has no values that can be used." }] };
}

function members(value: unknown, { orList = false } = {}): FileValue {
  const file = new FileValue(value);
  const isUsable = file.isObject || (orList && file.asList()[0]?.isObject);
  if (!isUsable) throw new InvalidFileError("The file does not contain an object with named values.");
  return file;
}

/** Ids of the metadata descriptor, also with a prefix or as an address; `.jsonld` is that of RO-Crate 1.0. */
const DESCRIPTOR = /(?:^|[/_-])ro-crate-metadata\.json(?:ld)?$/;
const SPECIFICATION = /^https?:\/\/w3id\.org\/ro\/crate\//;

/**
 * Fills a draft from an RO-Crate 1.1 or 1.2. Only the root dataset and the entities to which it refers are read.
 * @throws InvalidFileError without a graph or a root dataset
 */
function fromRoCrate(file: FileValue, draft: Draft): void {
  // An entity that refers to another one is replaced once, so that a cycle of references has no effect.
  const entities = new Map<string, FileValue>();
  const graph = new FileValue(file.value, file.place, { entities }).member("@graph");
  if (!Array.isArray(graph?.value)) throw new InvalidFileError("The file has no list “@graph”.", "/@graph");
  for (const entity of graph.asList()) {
    const { id } = entity;
    if (id !== undefined && !entities.has(id)) entities.set(id, entity);
  }
  const named = [...entities.values()].filter((entity) => DESCRIPTOR.test(entity.id?.slice(-1_000) ?? ""));
  const descriptor = named.find(conforms) ?? named[0] ?? [...entities.values()].find(conforms);
  const about = descriptor?.member("about");
  const root = entities.get((about && (about.id ?? about.text())) ?? "./") ?? entities.get("./") ?? entities.get(".");
  if (root === undefined) throw new InvalidFileError("The file has no root dataset.", "/@graph");
  fromSchemaOrg(root, draft);
}

/** Whether the entity is the descriptor of a crate, and describes something. */
function conforms(entity: FileValue): boolean {
  const stated = entity.entries("conformsTo").map((one) => one.id ?? one.text() ?? "");
  return entity.member("about") !== undefined && stated.some((id) => SPECIFICATION.test(id));
}
