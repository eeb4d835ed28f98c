import { ACCESS_KINDS, type AccessKind } from "../../../packages/rules/src/index.ts";
import type { HarvestedEntry, HarvestFilter } from "../../db/catalogue/harvest.ts";
import { unmarked } from "../../describe/markup.ts";
import type { LocalText } from "../../domain/collection.ts";
import { OaiError } from "./errors.ts";

const SET = /^[A-Za-z0-9\-_.!~*'()]+(?::[A-Za-z0-9\-_.!~*'()]+)*$/;
const ACCESS_NAMES: Record<AccessKind, string> = {
  open: "Files are open",
  embargoed: "Files are under embargo",
  restricted: "Access to files is restricted",
};

/** A set as `ListSets` describes it. */
export interface OaiSet {
  spec: string;
  name: string;
  /** May be empty. */
  description?: string;
}

/**
 * All sets. A set contains those below it, and every record is in one set below `access` and in one below `type`. Collections are sets
 * also before they have records.
 */
export function allSets(
  types: readonly string[],
  collections: readonly { id: string; name: LocalText; description: LocalText }[],
): OaiSet[] {
  return [
    { spec: "access", name: "By access to the files" },
    ...ACCESS_KINDS.map((kind) => ({ spec: `access:${kind}`, name: ACCESS_NAMES[kind] })),
    { spec: "type", name: "By resource type" },
    ...types.map((type) => ({ spec: `type:${type}`, name: type })).filter(({ spec }) => SET.test(spec)),
    ...(collections.length === 0 ? [] : [{ spec: "collection", name: "By collection" }]),
    ...collections.map(({ id, name, description }) => {
      return { spec: `collection:${id}`, name: name.en, description: unmarked(description.en) };
    }),
  ];
}

/** The sets of a record. Those above them follow from the names. */
export function setsOf({
  access,
  types,
  collections,
}: Pick<HarvestedEntry, "access" | "types" | "collections">): string[] {
  return [
    `access:${access}`,
    ...types.map((type) => `type:${type}`),
    ...collections.map((id) => `collection:${id}`),
  ].filter((spec) => SET.test(spec));
}

/** The records of a set; undefined if there is no such set. @throws OaiError `badArgument` */
export function recordsOf(set: string | undefined): Pick<HarvestFilter, "access" | "type" | "collection"> | undefined {
  const all = { access: undefined, type: undefined, collection: undefined };
  if (set === undefined || set === "access" || set === "type") return all;
  if (set === "collection") return { ...all, collection: null };
  if (!SET.test(set)) throw new OaiError("badArgument", "The argument “set” is not the name of a set");
  const [kind, value = "", ...more] = set.split(":");
  if (more.length > 0) return undefined;
  if (kind === "type" && value !== "") return { ...all, type: value };
  if (kind === "collection" && value !== "") return { ...all, collection: value };
  const access = ACCESS_KINDS.find((one) => one === value);
  return kind === "access" && access !== undefined ? { ...all, access } : undefined;
}
