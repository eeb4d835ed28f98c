import { knownTerm, type RelationType, relationTypes, resourceTypes } from "../../../../../packages/rules/src/index.ts";
import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { citationOf, identifierIn, relatedTo } from "../links.ts";
import { citedAuthors } from "./agents.ts";
import { globalIdOf, identifiersOf } from "./entity.ts";

/** Members that name a related resource. */
const RELATIONS: readonly [member: string, type: RelationType][] = [
  ["citation", "References"],
  ["subjectOf", "IsDescribedBy"],
  ["referencePublication", "IsDescribedBy"],
  ["isPartOf", "IsPartOf"],
  ["isBasedOn", "IsDerivedFrom"],
  ["sameAs", "IsIdenticalTo"],
  ["relatedLink", "References"],
  ["codeRepository", "IsSupplementTo"],
];

/** How packages of this service state the relations that schema.org has no property for. */
const DESCRIBED = /^Relation of the dataset to this resource: ([A-Za-z, ]{1,1000})$/;

/** Adds the related resources of the entity. */
export function addRelations(root: FileValue, draft: Draft): void {
  for (const [name, type] of RELATIONS) {
    for (const other of root.linked(name)) {
      const described = describedRelations(other);
      for (const relation of described.length > 0 ? described : [type]) addRelation(other, relation, draft);
    }
  }
  // Other crates mention files, actions and people, too.
  for (const other of root.linked("mentions")) {
    for (const type of describedRelations(other)) addRelation(other, type, draft);
  }
}

function describedRelations(other: FileValue): RelationType[] {
  const [, types = ""] = DESCRIBED.exec(other.text("description") ?? "") ?? [];
  return types.split(", ").flatMap((type) => knownTerm(relationTypes, type) ?? []);
}

function addRelation(other: FileValue, type: RelationType, draft: Draft): void {
  const stated = identifiersOf(other);
  const texts = stated.flatMap(({ text, scheme }) => [text, ...(scheme === undefined ? [] : [`${scheme}:${text}`])]);
  const relation = relatedTo(type, [other.text(), ...texts], citationIn(other, texts));
  if (relation === undefined) {
    const isUnknown = other.isObject && globalIdOf(other) === undefined;
    draft.remark(
      other,
      isUnknown ? "The file does not describe this resource." : "The resource has no name and no identifier.",
    );
    return;
  }
  const resourceTypeGeneral = other
    .entries("additionalType")
    .map((one) => knownTerm(resourceTypes, one.text() ?? ""))[0];
  draft.add("relatedIdentifiers", other, { ...relation, resourceTypeGeneral });
}

function citationIn(other: FileValue, texts: string[]): string | undefined {
  if (!other.isObject) return identifierIn(other.text()) === undefined ? other.text() : undefined;
  const name = other.text("creditText") ?? other.text("name");
  // Packages of this service name a resource without citation by its identifier.
  if (describedRelations(other).length > 0) return name !== undefined && texts.includes(name) ? undefined : name;
  const year = other.text("datePublished")?.slice(0, 4);
  return citationOf({ authors: citedAuthors(other), year, title: name });
}
