import { encodeSegment } from "../iri.ts";
import { type Entity, isEntity } from "./entity.ts";

/** Types of things that can have an id in common: departments of a university with its ROR id, or persons with a wrong ORCID iD. */
const NAMED: ReadonlySet<unknown> = new Set(["Organization", "Person", "Grant"]);

/**
 * A copy in which each name has an entity. Entities with the same id would become one thing with one name, so that those after the
 * first, if their name differs, get a local id and keep the shared one as `identifier`.
 * @param names the names by id, for entities that are divided separately
 */
export function withOwnIds<T>(value: T, names = new Map<string, unknown>()): T {
  const copy = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(copy);
    if (typeof inner !== "object" || inner === null) return inner;
    const own = isEntity(inner) && NAMED.has(inner["@type"]) ? withOwnId(inner, names) : inner;
    return Object.fromEntries(Object.entries(own).map(([name, member]) => [name, copy(member)]));
  };
  return copy(value) as T;
}

function withOwnId(entity: Entity, names: Map<string, unknown>): Entity {
  const { "@id": id, "@type": type, name } = entity as Partial<Entity>;
  // Exports state some things without an id.
  if (id === undefined) return entity;
  const first = names.get(id) ?? name;
  names.set(id, first);
  if (first === name || id.startsWith("#")) return entity;
  // The shared id distinguishes departments of the same name at two universities.
  const end = id.slice(id.lastIndexOf("/") + 1);
  const local = `#${String(type).toLowerCase()}-${encodeSegment(end)}-${encodeSegment(String(name))}`;
  return { ...entity, "@id": local, identifier: entity.identifier ?? id };
}
