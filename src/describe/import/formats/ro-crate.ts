import type { Draft } from "../draft.ts";
import { FileValue } from "../reading/file-value.ts";
import { InvalidFileError } from "../reading/invalid-file.ts";
import { fromSchemaOrg } from "./schema-org/schema-org.ts";

/** Ids of the metadata descriptor, also with a prefix or as an address; `.jsonld` is that of RO-Crate 1.0. */
const DESCRIPTOR = /(?:^|[/_-])ro-crate-metadata\.json(?:ld)?$/;
const SPECIFICATION = /^https?:\/\/w3id\.org\/ro\/crate\//;

/**
 * Fills a draft from an RO-Crate 1.1 or 1.2. Only the root dataset and the entities to which it refers are read.
 * @throws InvalidFileError without a graph or a root dataset
 */
export function fromRoCrate(file: FileValue, draft: Draft): void {
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
