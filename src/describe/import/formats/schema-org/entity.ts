import type { FileValue } from "../../reading/file-value.ts";

/** The identifier of an entity, unless it is valid only within the file, such as `#licence` or `LICENSE.txt`. */
export function globalIdOf({ id }: FileValue): string | undefined {
  return id !== undefined && /^[a-z][a-z0-9+.-]*:/i.test(id) ? id : undefined;
}

/** The types of an entity; CodeMeta 3 writes `type`. */
export function typesOf(entity: FileValue): string[] {
  return entity.entries("@type", "type").flatMap((type) => type.text() ?? []);
}

/** An identifier that an entity states, with the scheme if that is stated, too. */
export interface StatedIdentifier {
  text: string;
  scheme: string | undefined;
}

/** The texts that can identify an entity: its identifiers, its addresses and its id. */
export function identifiersOf(entity: FileValue): StatedIdentifier[] {
  const stated = ["identifier", "sameAs", "url"].flatMap((name) => entity.linked(name));
  return [
    ...stated.flatMap((one) => {
      const value = one.text("value");
      return value === undefined ? withScheme(one.id ?? one.text(), undefined) : withScheme(value, schemeOf(one));
    }),
    // An id is encoded as an IRI, so that identifiers come first.
    ...withScheme(entity.id, undefined),
  ];
}

/** The kind of identifier that a `PropertyValue` states, as a name or as an address that ends with the name. */
export function schemeOf(identifier: FileValue): string | undefined {
  return identifier.text("propertyID") ?? identifier.text("name") ?? identifier.member("propertyID")?.id;
}

function withScheme(text: string | undefined, scheme: string | undefined): StatedIdentifier[] {
  return text === undefined ? [] : [{ text, scheme }];
}
