import type { Where } from "../draft.ts";
import { linesOf } from "../request.ts";
import type { Node } from "./tree.ts";

/** What was chosen by ticking folders, as patterns of the selection. */
export type Ticks = Pick<Where, "chosen" | "leftOut">;

export type TickState = "on" | "off" | "mixed";

/** The pattern of all keys. */
export const EVERYTHING = "**";

/** The pattern of a folder with all that is below it. @param path with its slash */
export function patternOf(path: string): string {
  return `${escaped(path)}**`;
}

/** The pattern of what is in a folder itself, beside its folders. */
export function ownPattern(path: string): string {
  return `${escaped(path)}*`;
}

/** A backslash takes the character after it as it is. */
function escaped(path: string): string {
  return path.replaceAll(/[\\*?]/g, "\\$&");
}

/** Whether a pattern is one that a tick makes: of a folder, of what is beside its folders, or of everything. */
export function isOfFolder(pattern: string): boolean {
  return /^(?:(?:[^\\*?]|\\.)*\/)?\*{1,2}$/s.test(pattern);
}

/** Takes patterns of folders that somebody typed for ticks: what a field holds can be ticked, too. */
export function absorbed({ include, exclude, chosen, leftOut }: Where): Ticks & Pick<Where, "include" | "exclude"> {
  const [typedIn, restIn] = split(linesOf(include));
  const [typedOut, restOut] = split(linesOf(exclude));
  return {
    include: typedIn.length === 0 ? include : restIn.join("\n"),
    exclude: typedOut.length === 0 ? exclude : restOut.join("\n"),
    chosen: [...new Set([...chosen, ...typedIn])],
    leftOut: [...new Set([...leftOut, ...typedOut])],
  };
}

function split(lines: string[]): [ofFolders: string[], others: string[]] {
  return [lines.filter(isOfFolder), lines.filter((line) => !isOfFolder(line))];
}

/** How each node stands by the ticks alone, whatever patterns somebody has typed besides. */
export function statesOf(root: Node, { chosen, leftOut }: Ticks): Map<Node, TickState> {
  const states = new Map<Node, TickState>();
  const walk = (node: Node, isWithin: boolean, isWithout: boolean): TickState => {
    const isIn = isWithin || chosen.includes(node.pattern);
    const isOut = isWithout || leftOut.includes(node.pattern);
    const below = new Set(node.children.map((child) => walk(child, isIn, isOut)));
    const [only] = below;
    const state = below.size > 1 ? "mixed" : (only ?? (isIn && !isOut ? "on" : "off"));
    states.set(node, state);
    return state;
  };
  walk(root, chosen.length === 0, false);
  return states;
}

/** How a node stood when it was counted, by every pattern. */
export function countedState({ objects, leftOut }: Node): TickState {
  if (leftOut.objects === 0) return "on";
  return objects === 0 ? "off" : "mixed";
}

/** What a tick changes. */
export interface Toggle {
  /** From the root to the node. */
  trail: readonly Node[];
  to: "on" | "off";
  /** Somebody has typed patterns of what is wanted: they choose without ticks. */
  isTyped: boolean;
}

/** The ticks after one was changed. */
export function toggled(ticks: Ticks, { trail, to, isTyped }: Toggle): Ticks {
  const node = trail.at(-1);
  if (node === undefined) return ticks;
  const above = trail.slice(0, -1);
  if (above.length === 0) return { chosen: [], leftOut: to === "on" ? [] : [EVERYTHING] };
  const isIn = (ticks.chosen.length === 0 && !isTyped) || above.some(({ pattern }) => ticks.chosen.includes(pattern));
  if (to === "on") return turnedOn(node, above, ticks, isIn);
  const { chosen, leftOut } = without(node, ticks);
  if (isIn || isTyped) return { chosen, leftOut: [...leftOut, node.pattern] };
  return chosen.length === 0 ? { chosen, leftOut: [EVERYTHING] } : { chosen, leftOut };
}

function turnedOn(node: Node, above: readonly Node[], ticks: Ticks, isIn: boolean): Ticks {
  // Nothing was chosen: from now on this is, and what else is chosen.
  if (ticks.leftOut.includes(EVERYTHING)) return { chosen: [node.pattern], leftOut: [] };
  const { chosen, leftOut } = without(node, ticks);
  const from = above.findIndex(({ pattern }) => leftOut.includes(pattern));
  if (from !== -1) {
    // What is above it was left out as a whole: from now on all of it but this is.
    const trail = [...above.slice(from), node];
    const beside = trail.slice(0, -1).flatMap(({ children }, place) => {
      return children.filter((child) => child !== trail[place + 1]).map(({ pattern }) => pattern);
    });
    return { chosen, leftOut: [...leftOut.filter((pattern) => pattern !== trail[0]?.pattern), ...beside] };
  }
  return { chosen: isIn ? chosen : [...chosen, node.pattern], leftOut };
}

/** Lets go of what was said of a node and of all below it. */
function without(node: Node, { chosen, leftOut }: Ticks): Ticks {
  const patterns = new Set(patternsOf(node));
  const kept = (list: readonly string[]) => list.filter((pattern) => !patterns.has(pattern));
  return { chosen: kept(chosen), leftOut: kept(leftOut) };
}

function patternsOf(node: Node): string[] {
  return [node.pattern, ...node.children.flatMap(patternsOf)];
}
