import type { Preview } from "../../api/intake.ts";
import { EVERYTHING, ownPattern, patternOf } from "./patterns.ts";

export interface Amount {
  objects: number;
  bytes: number;
}

/** A part of a bucket that the page shows with a check box. */
export interface Node extends Amount {
  /**
   * `folder`: the bucket or a folder with everything below it. `own`: the files directly in a folder.
   * `rest`: objects of a folder outside its listed subfolders, if the preview does not list all subfolders.
   */
  kind: "folder" | "own" | "rest";
  /** Matches exactly the keys of this node. Empty for a rest, which no pattern describes. */
  pattern: string;
  /** Of the folder; empty for the bucket. */
  path: string;
  /** The last part of the path, with the slash; empty for the bucket, own files and a rest. */
  name: string;
  /** Whether `children` include all folders directly in this one. */
  foldersComplete: boolean;
  /** Objects here that are not selected; `objects` and `bytes` are the selected ones. */
  leftOut: Amount;
  /** Folders by path, then the files beside them or the rest. */
  children: Node[];
}

/** Makes a tree of the folders in a preview. The root is the bucket. */
export function growTree(
  preview: Pick<Preview, "folders" | "foldersComplete" | "objects" | "bytes" | "leftOut">,
): Node {
  const { folders, ...all } = preview;
  const root = nodeOf({ path: "", ...all }, "");
  const known = new Map([["", root]]);
  // Sorted by path, so a folder comes after the one that contains it.
  for (const folder of folders) {
    const above = folder.path.slice(0, folder.path.lastIndexOf("/", folder.path.length - 2) + 1);
    const parent = known.get(above) ?? root;
    const node = nodeOf(folder, parent.path);
    parent.children.push(node);
    known.set(folder.path, node);
  }
  for (const node of known.values()) addRemainder(node);
  return root;
}

function nodeOf(folder: Preview["folders"][number], above: string): Node {
  const { path, objects, bytes, leftOut, foldersComplete } = folder;
  return {
    kind: "folder",
    pattern: path === "" ? EVERYTHING : patternOf(path),
    path,
    name: path.slice(above.length),
    objects,
    bytes,
    foldersComplete,
    leftOut: { ...leftOut },
    children: [],
  };
}

/** Adds what the listed folders do not account for: files, or a rest that may also contain folders. */
function addRemainder(node: Node): void {
  const { path, foldersComplete, children } = node;
  if (children.length === 0) return;
  const own = { objects: node.objects, bytes: node.bytes };
  const leftOut = { ...node.leftOut };
  for (const child of children) {
    subtract(own, child);
    subtract(leftOut, child.leftOut);
  }
  const common = { ...own, path, name: "", foldersComplete: true, leftOut, children: [] };
  if (!foldersComplete) children.push({ ...common, kind: "rest", pattern: "" });
  else if (own.objects + leftOut.objects > 0) children.push({ ...common, kind: "own", pattern: ownPattern(path) });
}

/** All objects of a node, selected or not. */
export function totalOf({ objects, bytes, leftOut }: Node): Amount {
  return { objects: objects + leftOut.objects, bytes: bytes + leftOut.bytes };
}

function subtract(from: Amount, less: Amount): void {
  from.objects -= less.objects;
  from.bytes -= less.bytes;
}
