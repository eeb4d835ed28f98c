/** A thing in the vocabulary of schema.org, with other things as property values. An id that begins with `#` is local. */
export interface Entity {
  "@id": string;
  "@type": string | string[];
  [property: string]: unknown;
}

/** A value that is an entity, and not a text or a reference to an entity. */
export function isEntity(value: unknown): value is Entity {
  return typeof value === "object" && value !== null && "@type" in value;
}

/** A list of one value as the value itself, as RO-Crate and JSON-LD allow and earlier packages have it. */
export function oneOrAll<T>(values: T[]): T | T[] {
  return values.length === 1 && values[0] !== undefined ? values[0] : values;
}

/** Properties with at least one value, each value once. */
export function nonEmptyProperties(properties: Record<string, unknown[]>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, values]) =>
      values.length === 0 ? [] : [[name, oneOrAll(distinct(values))]],
    ),
  );
}

/** The entity, and all that its properties contain, as separate entities that refer to each other. */
export function flattened(entity: Entity): Entity[] {
  const inner = Object.values(entity).flat().filter(isEntity);
  return [withReferences(entity), ...inner.flatMap(flattened)];
}

/** The properties of an entity, with references instead of entities. */
export function withReferences<T extends object>(entity: T): T {
  const reference = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reference);
    return isEntity(value) ? { "@id": value["@id"] } : value;
  };
  return Object.fromEntries(Object.entries(entity).map(([name, value]) => [name, reference(value)])) as T;
}

/**
 * The entities, each id once: references and types of all with the same id together, and other properties of the first
 * that has them. A person may be listed in two roles, or a funder also be an affiliation.
 */
export function united(entities: Entity[]): Entity[] {
  const byId = new Map<string, Entity>();
  // From the end, so that an entity has the place of its last description, as in earlier packages.
  for (const entity of entities.toReversed()) {
    const later = byId.get(entity["@id"]);
    byId.set(entity["@id"], later === undefined ? entity : unite(entity, later));
  }
  return [...byId.values()].reverse();
}

function unite(first: Entity, other: Entity): Entity {
  const entity = { ...other, ...first };
  for (const [name, value] of Object.entries(other)) {
    const values = [value].flat();
    const isCollected = name === "@type" || values.every((one) => typeof one === "object" && one !== null);
    if (!isCollected || first[name] === undefined) continue;
    entity[name] = oneOrAll(distinct([first[name], ...values].flat()));
  }
  return entity;
}

function distinct(values: unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
