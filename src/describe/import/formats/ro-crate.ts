import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { InvalidFileError } from "../reading/invalid-file.ts";
import { idOf } from "./schema-org/entity.ts";
import { fromSchemaOrg } from "./schema-org/schema-org.ts";

/** Ids of the metadata descriptor, also with a prefix or as an address; `.jsonld` is that of RO-Crate 1.0. */
const DESCRIPTOR = /(?:^|[/_-])ro-crate-metadata\.json(?:ld)?$/;
const SPECIFICATION = /^https?:\/\/w3id\.org\/ro\/crate\//;

/**
 * Fills a draft from an RO-Crate 1.1 or 1.2. Only the root dataset and the entities to which it refers are read.
 * @throws InvalidFileError without a graph or a root dataset
 */
export function fromRoCrate(file: FileValue, draft: Draft): void {
  const graph = file.member("@graph");
  if (!Array.isArray(graph?.value)) throw new InvalidFileError("The file has no list “@graph”.", "/@graph");
  const entities = new Map<string, FileValue>();
  for (const entity of graph.asList()) {
    const id = idOf(entity);
    if (id !== undefined && !entities.has(id)) entities.set(id, entity);
  }
  const named = [...entities.values()].filter((entity) => DESCRIPTOR.test(idOf(entity)?.slice(-1_000) ?? ""));
  const descriptor = named.find(conforms) ?? named[0] ?? [...entities.values()].find(conforms);
  const about = descriptor?.member("about");
  const root =
    entities.get((about && (idOf(about) ?? about.text())) ?? "./") ?? entities.get("./") ?? entities.get(".");
  if (root === undefined) throw new InvalidFileError("The file has no root dataset.", "/@graph");
  // An entity that refers to another one is replaced once, so that a cycle of references has no effect.
  fromSchemaOrg(root, draft, (value) => entities.get(idOf(value) ?? value.text() ?? "") ?? value);
}

/** Whether the entity is the descriptor of a crate, and describes something. */
function conforms(entity: FileValue): boolean {
  const stated = entity.entries("conformsTo").map((one) => idOf(one) ?? one.text() ?? "");
  return entity.member("about") !== undefined && stated.some((id) => SPECIFICATION.test(id));
}
