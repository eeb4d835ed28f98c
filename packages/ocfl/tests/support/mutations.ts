import { createHash } from "node:crypto";
import { type Json, Members, readMembers, writeMembers } from "./json-members.ts";
import type { Tree } from "./second-validator.ts";

/** A valid object with one change. */
export interface Mutation {
  name: string;
  tree: Tree;
}

/** Every change of one file or folder, and of one member of an inventory. */
export function* mutationsOf(tree: Tree): Generator<Mutation> {
  yield* fileMutations(tree);
  yield* folderMutations(tree);
  yield* inventoryMutations(tree);
}

function* fileMutations(tree: Tree): Generator<Mutation> {
  const files = [...tree].filter(([path]) => !path.endsWith("/"));
  const folders = foldersOf(tree);
  for (const [path, content] of files) {
    const without = changed(tree, (copy) => copy.delete(path));
    const put = (at: string, bytes = content, base = tree) => changed(base, (copy) => copy.set(at, bytes));
    const name = path.slice(path.lastIndexOf("/") + 1);
    const folder = path.slice(0, -name.length);
    yield { name: `${path} is missing`, tree: kept(without, tree) };
    for (const other of [`${name}x`, name.slice(0, -1), name.toUpperCase(), name.toLowerCase(), `${name}/x`]) {
      if (other === name || other === "") continue;
      yield { name: `${path} is renamed to ${other}`, tree: put(folder + other, content, without) };
      if (!other.startsWith(`${name}/`)) yield { name: `${path} is duplicated as ${other}`, tree: put(folder + other) };
    }
    for (const at of folders)
      if (at !== folder) yield { name: `${path} is also in ${at || "the root"}`, tree: put(at + name) };
    yield {
      name: `${path} is replaced by an empty folder`,
      tree: changed(without, (copy) => copy.set(`${path}/`, Buffer.alloc(0))),
    };
    const { length } = content;
    for (const bytes of [0, length >> 1, length - 1]) {
      if (bytes < length && bytes >= 0)
        yield { name: `${path} ends after ${bytes} bytes`, tree: put(path, content.subarray(0, bytes)) };
    }
    for (const more of ["x", " ", "\n", "\r\n", "\ufeff"]) {
      yield {
        name: `${path} with ${JSON.stringify(more)} appended`,
        tree: put(path, Buffer.concat([content, Buffer.from(more)])),
      };
      yield {
        name: `${path} with ${JSON.stringify(more)} prepended`,
        tree: put(path, Buffer.concat([Buffer.from(more), content])),
      };
    }
    for (const text of [
      content.toString().toUpperCase(),
      content.toString().replace(" ", "\t"),
      content.toString().replace(" ", "  "),
    ]) {
      if (text !== content.toString())
        yield { name: `${path} contains ${text.slice(0, 20)}…`, tree: put(path, Buffer.from(text)) };
    }
    for (const [other, bytes] of files) {
      if (other <= path || bytes.equals(content)) continue;
      yield { name: `${path} and ${other} are swapped`, tree: put(other, content, put(path, bytes)) };
    }
  }
}

function* folderMutations(tree: Tree): Generator<Mutation> {
  for (const folder of foldersOf(tree)) {
    yield {
      name: `an empty folder in ${folder || "the root"}`,
      tree: changed(tree, (copy) => copy.set(`${folder}empty/`, Buffer.alloc(0))),
    };
    if (folder === "") continue;
    const name = folder.split("/").at(-2) ?? "";
    const parent = folder.slice(0, -name.length - 1);
    const moved = (to: string, from = tree) =>
      new Map(
        [...from].map(([path, content]) => [path.startsWith(folder) ? to + path.slice(folder.length) : path, content]),
      );
    yield {
      name: `${folder} is missing`,
      tree: kept(new Map([...tree].filter(([path]) => !path.startsWith(folder))), tree),
    };
    for (const other of [`${name}x`, name.toUpperCase(), `0${name}`, "v9", "logs"]) {
      if (other === name) continue;
      yield { name: `${folder} is renamed to ${other}`, tree: moved(`${parent}${other}/`) };
      yield {
        name: `${folder} is duplicated as ${other}`,
        tree: new Map([...moved(`${parent}${other}/`), ...tree]),
      };
    }
  }
}

function* inventoryMutations(tree: Tree): Generator<Mutation> {
  const folders = [...tree.keys()].flatMap((path) =>
    /(^|\/)inventory\.json$/.test(path) ? [path.slice(0, -"inventory.json".length)] : [],
  );
  const versions = folders
    .filter((folder) => folder !== "")
    .sort((a, b) => Number(/\d+/.exec(a)) - Number(/\d+/.exec(b)));
  const newest = versions.at(-1) ?? "";
  for (const [places, said] of [
    [["", newest], "the inventory"],
    [[""], "the root's inventory only"],
    ...versions.slice(0, -1).map((folder) => [[folder], `the inventory of ${folder}`] as const),
  ] as const) {
    const json = readMembers(String(tree.get(`${places[0]}inventory.json`)));
    for (const { name, value } of changesOf(json)) {
      const text = Buffer.from(writeMembers(value));
      yield {
        name: `${said}: ${name}`,
        tree: changed(tree, (copy) => {
          for (const place of places) putInventory(copy, place, text);
        }),
      };
    }
  }
}

/** Writes an inventory with a correct sidecar for the algorithm that it had. */
function putInventory(tree: Tree, place: string, text: Buffer): void {
  tree.set(`${place}inventory.json`, text);
  for (const algorithm of ["sha512", "sha256"]) {
    const sidecar = `${place}inventory.json.${algorithm}`;
    const digest = createHash(algorithm).update(text).digest("hex");
    if (tree.has(sidecar)) tree.set(sidecar, Buffer.from(`${digest} inventory.json\n`));
  }
}

/** Every variant of a JSON value with one change. */
function* changesOf(json: Json, at = ""): Generator<{ name: string; value: Json }> {
  for (const value of [null, 1, "", [], new Members(), ["x"], ["/x"], ["x/"], ["x/../y"], ["x//y"]] as Json[]) {
    if (writeMembers(value) !== writeMembers(json)) yield { name: `${at} is ${writeMembers(value)}`, value };
  }
  if (typeof json === "string") {
    for (const value of [json.toUpperCase(), json.slice(0, -1), `${json}x`, ` ${json}`]) {
      if (value !== json) yield { name: `${at} is ${JSON.stringify(value)}`, value };
    }
  } else if (Array.isArray(json)) {
    for (const [index, one] of json.entries()) {
      for (const { name, value } of changesOf(one, `${at}[${index}]`)) yield { name, value: json.with(index, value) };
      yield { name: `${at}[${index}] is duplicated`, value: [...json, one] };
    }
  } else if (json instanceof Members) yield* changesOfMembers(json, at);
}

function* changesOfMembers({ list }: Members, at: string): Generator<{ name: string; value: Json }> {
  for (const [index, [name, one]] of list.entries()) {
    const path = `${at}/${name.length > 64 ? `${name.slice(0, 6)}…` : name}`;
    const put = (...members: [string, Json][]) => new Members(list.toSpliced(index, 1, ...members));
    for (const { name: what, value } of changesOf(one, path)) yield { name: what, value: put([name, value]) };
    yield { name: `${path} is missing`, value: put() };
    yield { name: `${path} is there twice`, value: put([name, one], [name, one]) };
    yield { name: `${path} is duplicated, once as null`, value: put([name, null], [name, one]) };
    for (const other of [`${name}x`, name.slice(0, -1), name.toUpperCase(), name.toLowerCase(), ""]) {
      if (other === name) continue;
      yield { name: `${path} is renamed to ${JSON.stringify(other)}`, value: put([other, one]) };
      yield { name: `${path} is duplicated as ${JSON.stringify(other)}`, value: put([name, one], [other, one]) };
    }
    const next = list[index + 1];
    if (next === undefined) continue;
    yield {
      name: `${path} and ${next[0].slice(0, 8)} have their values swapped`,
      value: new Members(list.toSpliced(index, 2, [name, next[1]], [next[0], one])),
    };
    yield {
      name: `${path} and ${next[0].slice(0, 8)} are swapped`,
      value: new Members(list.toSpliced(index, 2, next, [name, one])),
    };
  }
}

function changed(tree: Tree, change: (copy: Tree) => unknown): Tree {
  const copy = new Map(tree);
  change(copy);
  return copy;
}

/** A tree from which a file or folder was removed, with its parent folders. */
function kept(tree: Tree, before: Tree): Tree {
  const copy = new Map(tree);
  for (const folder of foldersOf(before)) {
    const isEmpty = folder !== "" && ![...copy.keys()].some((path) => path.startsWith(folder));
    const isInside = [...before.keys()].some((path) => path.startsWith(folder) && tree.has(path));
    if (isEmpty && !isInside) copy.set(folder, Buffer.alloc(0));
  }
  return innermost(copy);
}

/** Of empty folders, those that contain no other. */
function innermost(tree: Tree): Tree {
  const paths = [...tree.keys()];
  return new Map(
    [...tree].filter(([path]) => !path.endsWith("/") || !paths.some((one) => one !== path && one.startsWith(path))),
  );
}

function foldersOf(tree: Tree): string[] {
  const all = [...tree.keys()].flatMap((path) =>
    path
      .split("/")
      .slice(0, -1)
      .map((_, index, parts) => `${parts.slice(0, index + 1).join("/")}/`),
  );
  return ["", ...new Set(all)];
}
