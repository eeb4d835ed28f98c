import type { DataSource } from "../draft.ts";
import { linesOf } from "../request.ts";
import { ownPattern, patternOf } from "./patterns.ts";
import type { Node } from "./tree.ts";

/** The folders that the user ticked and cleared, as patterns of the selection. */
export type Ticks = Pick<DataSource, "chosen" | "leftOut">;

export type TickState = "on" | "off" | "mixed";

/** Moves folder patterns from the text fields to the ticks, so that check boxes can change them. */
export function absorbed(dataSource: DataSource): Ticks & Pick<DataSource, "include" | "exclude"> {
  const { include, exclude, chosen, leftOut } = dataSource;
  const [typedIn, restIn] = split(linesOf(include));
  const [typedOut, restOut] = split(linesOf(exclude));
  return {
    include: typedIn.length === 0 ? include : restIn.join("\n"),
    exclude: typedOut.length === 0 ? exclude : restOut.join("\n"),
    chosen: [...new Set([...chosen, ...typedIn].map(canonical))],
    leftOut: [...new Set([...leftOut, ...typedOut].map(canonical))],
  };
}

function split(lines: string[]): [ofFolders: string[], others: string[]] {
  return [lines.filter(isOfFolder), lines.filter((line) => !isOfFolder(line))];
}

/** Whether include patterns that no check box represents select objects, too. */
export function hasOtherPatterns({ chosen }: Ticks, isTyped: boolean): boolean {
  return isTyped || !chosen.every(isOfFolder);
}

/**
 * The state of each node by its ticks. `off` means that the service selects nothing at that node, listed in the preview
 * or not. `on` means that it selects everything there that no typed pattern excludes. `mixed` promises nothing.
 * @param isTyped include patterns were typed in the text field
 */
export function statesOf(root: Node, ticks: Ticks, isTyped = false): Map<Node, TickState> {
  const { chosen, leftOut } = ticks;
  const isOther = hasOtherPatterns(ticks, isTyped);
  const states = new Map<Node, TickState>();
  const leafState = (isIn: boolean, isOut: boolean, isInner: (pattern: string) => boolean): TickState => {
    if (isOut) return "off";
    if (isIn) return leftOut.some(isInner) ? "mixed" : "on";
    return isOther || chosen.some(isInner) ? "mixed" : "off";
  };
  const walk = (node: Node, parent: Node, isParentIn: boolean, isParentOut: boolean): TickState => {
    const { kind, pattern, children } = node;
    const isIn = isParentIn || chosen.includes(pattern);
    const isOut = isParentOut || leftOut.includes(pattern);
    const below = new Set(children.map((child) => walk(child, node, isIn, isOut)));
    const [only] = below;
    const isInner = kind === "rest" ? isInRest(parent) : (one: string) => one !== pattern && isWithin(one, node);
    const state = below.size > 1 ? "mixed" : (only ?? leafState(isIn, isOut, isInner));
    states.set(node, state);
    return state;
  };
  walk(root, root, chosen.length === 0 && !isTyped, false);
  return states;
}

/** Tells patterns of a folder's unlisted contents from those of its listed folders and of the folder as a whole. */
function isInRest(folder: Node): (pattern: string) => boolean {
  const listed = folder.children.filter(({ kind }) => kind === "folder");
  return (pattern) =>
    pattern !== folder.pattern && isWithin(pattern, folder) && !listed.some((child) => isWithin(pattern, child));
}

/** The state of a node when the service counted it, by all patterns. */
export function countedState({ objects, leftOut }: Node): TickState {
  if (leftOut.objects === 0) return "on";
  return objects === 0 ? "off" : "mixed";
}

/** Whether a check box can represent a pattern: that of a folder, of the files directly in a folder, or of all keys. */
export function isOfFolder(pattern: string): boolean {
  return /^(?:(?:[^\\*?]|\\.)*\/)?\*{1,2}$/s.test(pattern);
}

/** Whether all keys of a folder pattern are below a node. Always false for other patterns. */
export function isWithin(pattern: string, { kind, path, pattern: own }: Node): boolean {
  if (kind !== "folder") return pattern === own;
  return isOfFolder(pattern) && folderOf(pattern).startsWith(path);
}

/** The path of the folder that a pattern names, without escapes. */
function folderOf(pattern: string): string {
  return pattern.replace(/\*{1,2}$/, "").replaceAll(/\\(.)/gs, "$1");
}

/** A folder pattern without unnecessary escapes, so that equal patterns are equal texts; other patterns unchanged. */
function canonical(pattern: string): string {
  if (!isOfFolder(pattern)) return pattern;
  return pattern.endsWith("**") ? patternOf(folderOf(pattern)) : ownPattern(folderOf(pattern));
}
