import { ACCESS_KINDS, type AccessKind } from "../../../packages/rules/src/index.ts";
import type { HarvestFilter } from "../../db/catalogue/harvest.ts";
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
}

/** All sets. A set contains those below it, and every record is in one set below `access` and in one below `type`. */
export function allSets(types: readonly string[]): OaiSet[] {
  return [
    { spec: "access", name: "By access to the files" },
    ...ACCESS_KINDS.map((kind) => ({ spec: `access:${kind}`, name: ACCESS_NAMES[kind] })),
    { spec: "type", name: "By resource type" },
    ...types.map((type) => ({ spec: `type:${type}`, name: type })).filter(({ spec }) => SET.test(spec)),
  ];
}

/** The sets of a record. Those above them follow from the names. */
export function setsOf({ access, types }: { access: AccessKind; types: readonly string[] }): string[] {
  return [`access:${access}`, ...types.map((type) => `type:${type}`)].filter((spec) => SET.test(spec));
}

/** The records of a set; undefined if there is no such set. @throws OaiError `badArgument` */
export function recordsOf(set: string | undefined): Pick<HarvestFilter, "access" | "type"> | undefined {
  const all = { access: undefined, type: undefined };
  if (set === undefined || set === "access" || set === "type") return all;
  if (!SET.test(set)) throw new OaiError("badArgument", "The argument “set” is not the name of a set");
  const [kind, value = "", ...more] = set.split(":");
  if (more.length > 0) return undefined;
  if (kind === "type" && value !== "") return { ...all, type: value };
  const access = ACCESS_KINDS.find((one) => one === value);
  return kind === "access" && access !== undefined ? { ...all, access } : undefined;
}
