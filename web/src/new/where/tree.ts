import type { Preview } from "../../api/intake.ts";
import { EVERYTHING, ownPattern, patternOf } from "./ticks.ts";

interface Amount {
  objects: number;
  bytes: number;
}

/** What can be chosen of a bucket: all of it, a folder with what is below it, or what is in a folder beside its folders. */
export interface Node extends Amount {
  /** The pattern that all its keys match, and no others. */
  pattern: string;
  /** Empty for the bucket. */
  path: string;
  /** Its own part of the path, with the slash. */
  name: string;
  /** It is what is in the folder itself. */
  isOwn: boolean;
  /** What is not selected; `objects` and `bytes` are the rest. */
  leftOut: Amount;
  /** Folders in order, then what is beside them, if anything. */
  children: Node[];
}

/** Makes a tree of the folders that a preview names; the root is the bucket. */
export function growTree({ folders, ...all }: Pick<Preview, "folders" | "objects" | "bytes" | "leftOut">): Node {
  const { objects, bytes, leftOut } = all;
  const root = nodeOf({ path: "", objects, bytes, leftOut }, "");
  const known = new Map([["", root]]);
  // A folder comes after the one that it is in, for its path is longer.
  for (const folder of folders) {
    const above = folder.path.slice(0, folder.path.lastIndexOf("/", folder.path.length - 2) + 1);
    const parent = known.get(above) ?? root;
    const node = nodeOf(folder, parent.path);
    parent.children.push(node);
    known.set(folder.path, node);
  }
  for (const node of known.values()) addOwn(node);
  return root;
}

function nodeOf(folder: Preview["folders"][number], above: string): Node {
  const { path, leftOut, ...amount } = folder;
  const pattern = path === "" ? EVERYTHING : patternOf(path);
  return {
    ...amount,
    pattern,
    path,
    name: path.slice(above.length),
    isOwn: false,
    leftOut: { ...leftOut },
    children: [],
  };
}

/** What is in a folder beside its folders is what they do not account for. */
function addOwn(node: Node): void {
  if (node.children.length === 0) return;
  const own = { objects: node.objects, bytes: node.bytes };
  const leftOut = { ...node.leftOut };
  for (const child of node.children) {
    subtract(own, child);
    subtract(leftOut, child.leftOut);
  }
  if (own.objects + leftOut.objects <= 0) return;
  const { path } = node;
  node.children.push({ ...own, pattern: ownPattern(path), path, name: "", isOwn: true, leftOut, children: [] });
}

/** All of it, selected or not. */
export function totalOf({ objects, bytes, leftOut }: Node): Amount {
  return { objects: objects + leftOut.objects, bytes: bytes + leftOut.bytes };
}

function subtract(from: Amount, less: Amount): void {
  from.objects -= less.objects;
  from.bytes -= less.bytes;
}
