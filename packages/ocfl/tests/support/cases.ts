import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { digestOf, type OcflObject, ONE, type Plan, THREE } from "./object.ts";

/**
 * An object, a change, and exactly the codes that a check must report. Many are equivalent to the OCFL community's
 * fixtures (https://github.com/OCFL/fixtures).
 */
export interface Case {
  name: string;
  codes: readonly string[];
  plan: Plan;
  change?: Change;
}

export type Change = (object: OcflObject) => Promise<unknown>;

export const alpha = digestOf("alpha", "sha512");
export const beta = digestOf("beta", "sha512");
export const A = "v1/content/a.txt";
export const C = "v1/content/b/c.txt";
export const V10: Plan = { ...ONE, specification: "1.0" };
export const MANY: Plan = { versions: Array.from({ length: 10 }, (_, n) => ({ [`${n}.txt`]: String(n) })) };

export function of(plan: Plan, codes: string, cases: Record<string, Change>): Case[] {
  return Object.entries(cases).map(([name, change]) => ({ name, codes: split(codes), plan, change }));
}

export const split = (codes: string) => codes.split(" ").filter((code) => code !== "");
export const one = (codes: string, cases: Record<string, Change>) => of(ONE, codes, cases);
export const three = (codes: string, cases: Record<string, Change>) => of(THREE, codes, cases);
/** Sets a member of the inventory to a value that its type does not allow. */
export const set =
  (member: string, value: unknown): Change =>
  (object) =>
    object.change((inventory) => Object.assign(inventory, { [member]: value }));
export const setInVersion =
  (member: string, value: unknown): Change =>
  (object) =>
    object.change(({ versions }) => Object.assign(versions.v1 ?? {}, { [member]: value }));
export const drop =
  (member: string): Change =>
  (object) =>
    object.change((inventory) => Reflect.deleteProperty(inventory, member));
export const dropInVersion =
  (member: string): Change =>
  (object) =>
    object.change(({ versions }) => Reflect.deleteProperty(versions.v1 ?? {}, member));
export const put =
  (path: string, content = ""): Change =>
  (object) =>
    object.put(path, content);
export const remove =
  (path: string): Change =>
  (object) =>
    rm(join(object.folder, path), { recursive: true });
export const folder =
  (path: string): Change =>
  (object) =>
    mkdir(join(object.folder, path), { recursive: true });
export const replace =
  (from: string, to: string): Change =>
  (object) =>
    object.rewrite((text) => text.replace(from, to));
export const replaceLast =
  (from: string, to: string): Change =>
  (object) =>
    object.rewrite((text) => {
      const at = text.lastIndexOf(from);
      return text.slice(0, at) + to + text.slice(at + from.length);
    });
export const upper = (record: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(record).map(([digest, paths]) => [digest.toUpperCase(), paths]));

export const fixity = (algorithm: string, digest: string, path = A): Plan => ({
  ...ONE,
  fixity: { [algorithm]: { [digest]: [path] } },
});
