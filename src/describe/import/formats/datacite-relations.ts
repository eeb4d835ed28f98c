import { identifierTypes, knownTerm } from "../../../../packages/rules/src/index.ts";
import { identifierOf, recognizedIdentifier } from "../../metadata/values/identifier.ts";
import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { citationOf, citedName } from "./links.ts";

/** Adds the related identifiers and related items of a DataCite record. */
export function addRelations(record: FileValue, draft: Draft): void {
  for (const entry of record.entries("relatedIdentifiers")) {
    draft.add("relatedIdentifiers", entry, {
      relationType: entry.text("relationType"),
      ...typed(entry.text("relatedIdentifier"), entry.text("relatedIdentifierType")),
      resourceTypeGeneral: entry.text("resourceTypeGeneral"),
    });
  }
  for (const item of record.entries("relatedItems")) {
    const identifier = item.member("relatedItemIdentifier");
    const text = identifier?.text("relatedItemIdentifier") ?? identifier?.text();
    const type = identifier?.text("relatedItemIdentifierType") ?? item.text("relatedItemIdentifierType");
    const relation = { relationType: item.text("relationType"), resourceTypeGeneral: item.text("relatedItemType") };
    draft.add("relatedIdentifiers", item, { ...relation, ...typed(text, type), citation: citationIn(item) });
  }
}

/** The identifier with its type or, if it has another form, with the type that its form states. */
function typed(relatedIdentifier: string | undefined, stated: string | undefined) {
  if (relatedIdentifier === undefined) return { relatedIdentifierType: stated };
  const type = stated && knownTerm(identifierTypes, stated);
  const isOfType = Boolean(type) && identifierOf(type || "URL", relatedIdentifier) !== undefined;
  const recognised = isOfType ? undefined : recognizedIdentifier(relatedIdentifier);
  return { relatedIdentifier, relatedIdentifierType: recognised?.type ?? stated };
}

function citationIn(item: FileValue): string | undefined {
  const [first] = item.entries("titles");
  const title = first?.text("title") ?? first?.text();
  const authors = item.entries("creators").map(nameIn);
  const rest = item.texts("volume", "issue");
  const [year, firstPage, lastPage] = Object.values(item.texts("publicationYear", "firstPage", "lastPage"));
  const source = item.text("publisher") ?? item.member("publisher")?.text("name");
  // This service exports a citation that it does not divide as the title.
  const others = [year, source, firstPage, lastPage, ...Object.values(rest)];
  const isWhole = authors.length === 0 && others.every((part) => part === undefined);
  return isWhole ? title : citationOf({ authors, year, title, source, ...rest, pages: [firstPage, lastPage] });
}

function nameIn(creator: FileValue): string | undefined {
  return creator.text("name") ?? citedName(creator.text("familyName"), creator.text("givenName"));
}
