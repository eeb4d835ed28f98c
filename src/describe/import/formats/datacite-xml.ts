import type { Draft } from "../draft.ts";
import { FileValue } from "../reading/file-value.ts";
import { InvalidFileError } from "../reading/invalid-file.ts";
import type { XmlElement } from "../reading/xml.ts";
import { fromDatacite } from "./datacite.ts";

const NAMESPACE = /^https?:\/\/(?:schema\.)?datacite\.org\/(?:schema|meta)\/kernel-[234]/;
/** Elements that contain a list in DataCite XML. */
const LISTS = new Set([
  ...["creators", "contributors", "titles", "descriptions", "subjects", "dates", "rightsList", "geoLocations"],
  ...["alternateIdentifiers", "relatedIdentifiers", "relatedItems", "fundingReferences"],
]);

/**
 * Fills a draft from DataCite XML of kernel 2, 3 or 4. The record is converted to the members of DataCite JSON.
 * @throws InvalidFileError if the root element is not a DataCite resource
 */
export function fromDataciteXml(root: XmlElement, draft: Draft): void {
  // Repositories wrap the record, for instance in an OAI-PMH answer.
  const resource = find(root);
  if (resource === undefined) {
    throw new InvalidFileError("The file has no element “resource” of DataCite kernel 2, 3 or 4.", "line 1");
  }
  const places = new WeakMap<object, string>();
  const record = membersOf(resource, places);
  fromDatacite(new FileValue(record, `line ${resource.line}`, { places }), draft);
}

function find(element: XmlElement): XmlElement | undefined {
  if (element.name === "resource" && (NAMESPACE.test(element.namespace) || isBare(element))) return element;
  for (const child of element.children) {
    const found = find(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a resource without a namespace has the mandatory lists of DataCite. */
function isBare({ namespace, children }: XmlElement): boolean {
  const names = new Set(children.map(({ name }) => name));
  return namespace === "" && names.has("creators") && names.has("titles");
}

/**
 * The members of an element: attributes, child elements, and its text under its own name. Several children with the same name
 * are a list.
 */
function membersOf(element: XmlElement, places: WeakMap<object, string>): object {
  const members = new Map<string, unknown[]>();
  const add = (name: string, value: unknown) => {
    const values = members.get(name) ?? [];
    values.push(value);
    members.set(name, values);
  };
  for (const [name, value] of element.attributes) add(name, value);
  if (element.children.every(({ name }) => name === "br")) add(element.name, textOf(element));
  for (const child of element.children) addChild(child, add, places);
  const object = Object.fromEntries(
    [...members].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
  places.set(object, `line ${element.line}`);
  return object;
}

function addChild(
  child: XmlElement,
  add: (name: string, value: unknown) => void,
  places: WeakMap<object, string>,
): void {
  const { name, attributes, children } = child;
  const attribute = (stated: string) => attributes.get(stated);
  const object = () => membersOf(child, places);
  if (LISTS.has(name)) for (const entry of children) add(name, membersOf(entry, places));
  else if (name === "creatorName" || name === "contributorName") {
    add("name", textOf(child));
    add("nameType", attribute("nameType"));
  } else if (name === "nameIdentifier") add("nameIdentifiers", object());
  else if (name === "affiliation") {
    const value = { name: textOf(child), affiliationIdentifier: attribute("affiliationIdentifier") };
    add(name, value);
  } else if (name === "funderIdentifier") {
    add(name, textOf(child));
    add("funderIdentifierType", attribute("funderIdentifierType"));
  } else if (name === "awardNumber") {
    add(name, textOf(child));
    add("awardUri", attribute("awardURI"));
  } else if (name === "resourceType") {
    add("types", { resourceType: textOf(child), resourceTypeGeneral: attribute("resourceTypeGeneral") });
  } else if (name === "rights") {
    // Kernel 2 has one element without a list around it.
    add("rightsList", { rights: textOf(child), rightsUri: attribute("rightsURI") });
  } else if (name === "identifier") {
    if (attribute("identifierType") === "DOI") add("doi", textOf(child));
  } else if (name === "relatedItemIdentifier" || children.length > 0) add(name, object());
  else add(name, textOf(child));
}

/** The text without indentation. Only descriptions keep their line breaks. */
function textOf({ name, text }: XmlElement): string {
  if (name !== "description") return text.replace(/\s+/g, " ").trim();
  const lines = text.split("\n").map((line) => line.trim());
  return lines.join("\n").trim();
}
