import type { Preview } from "../../api/intake.ts";

/** A folder with its folders, and with what lies in it beside them. */
export interface Node {
  path: string;
  /** Its own part of the path, with the slash. */
  name: string;
  objects: number;
  bytes: number;
  folders: Node[];
  own: { objects: number; bytes: number };
}

/** Makes a tree of the folders that a preview names; the root is the bucket. */
export function growTree({ folders, objects, bytes }: Pick<Preview, "folders" | "objects" | "bytes">): Node {
  const root: Node = { path: "", name: "", objects, bytes, folders: [], own: { objects, bytes } };
  const known = new Map([["", root]]);
  // A folder comes after the one that it lies in, for its path is longer.
  for (const folder of folders) {
    const above = folder.path.slice(0, folder.path.lastIndexOf("/", folder.path.length - 2) + 1);
    const parent = known.get(above) ?? root;
    const { objects, bytes, path } = folder;
    const node: Node = { ...folder, name: path.slice(above.length), folders: [], own: { objects, bytes } };
    parent.folders.push(node);
    parent.own = { objects: parent.own.objects - objects, bytes: parent.own.bytes - bytes };
    known.set(path, node);
  }
  return root;
}
