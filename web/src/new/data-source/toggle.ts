import { EVERYTHING } from "./patterns.ts";
import { hasOtherPatterns, isWithin, type Ticks } from "./ticks.ts";
import type { Node } from "./tree.ts";

/** A change of one check box. */
interface Toggle {
  /** From the root to the node. */
  trail: readonly Node[];
  to: "on" | "off";
  /** Include patterns were typed in the text field: they select objects without ticks. */
  isTyped: boolean;
}

/**
 * The ticks after a change. The selection of all other keys stays the same, also of those that the preview does not list;
 * only ticking below a cleared bucket lets typed include patterns count again. Undefined where the preview lists too few
 * folders to describe that selection.
 */
export function toggled(ticks: Ticks, { trail, to, isTyped: isTypedIn }: Toggle): Ticks | undefined {
  const node = trail.at(-1);
  if (node === undefined || node.kind === "rest") return ticks;
  const isTyped = hasOtherPatterns(ticks, isTypedIn);
  const above = trail.slice(0, -1);
  if (above.length === 0) {
    if (to === "off") return { chosen: [], leftOut: [EVERYTHING] };
    return { chosen: isTypedIn ? [EVERYTHING] : [], leftOut: [] };
  }
  if (to === "on" && ticks.leftOut.includes(EVERYTHING)) return { chosen: [node.pattern], leftOut: [] };
  const isAll = ticks.chosen.length === 0 && !isTyped;
  const { chosen, leftOut } = without(node, ticks);
  const out = above.findIndex(({ pattern }) => leftOut.includes(pattern));
  if (to === "on" && out !== -1) return withinLeftOut({ trail, out, ticks: { chosen, leftOut }, isAll, isTyped });
  const isIn = isAll || above.some(({ pattern }) => chosen.includes(pattern));
  if (to === "on") return { chosen: isIn ? chosen : [...chosen, node.pattern], leftOut };
  if (isIn || isTyped) return { chosen, leftOut: [...leftOut, node.pattern] };
  return chosen.length === 0 ? { chosen, leftOut: [EVERYTHING] } : { chosen, leftOut };
}

interface Within {
  trail: readonly Node[];
  /** The index of the uppermost folder in `trail` that is left out. */
  out: number;
  ticks: Ticks;
  isAll: boolean;
  isTyped: boolean;
}

/**
 * Selects a node below a folder that is left out. An exclude pattern has no exceptions, so it is replaced: by patterns of
 * the node's siblings, or, where not all siblings are listed, by include patterns of the other selected nodes.
 */
function withinLeftOut({ trail, out, ticks, isAll, isTyped }: Within): Ticks | undefined {
  const [node, top] = [trail.at(-1), trail[out]];
  if (node === undefined || top === undefined) return undefined;
  const above = trail.slice(0, -1).map(({ pattern }) => pattern);
  const leftOut = ticks.leftOut.filter((pattern) => !above.includes(pattern));
  const chosen = ticks.chosen.filter((pattern) => !isWithin(pattern, top));
  const from = isAll ? 0 : above.slice(0, out).findIndex((pattern) => chosen.includes(pattern));
  const isIn = from !== -1;
  if (!isIn && !isTyped) return { chosen: [...chosen, node.pattern], leftOut };
  const ways: Ticks[] = [];
  const siblings = patternsBeside(trail.slice(out));
  if (siblings !== undefined) {
    ways.push({ chosen: isIn ? chosen : [...chosen, node.pattern], leftOut: union(leftOut, siblings) });
  }
  const others = isTyped ? undefined : patternsBeside(trail.slice(from, out + 1));
  if (others !== undefined) {
    const kept = chosen.filter((pattern) => !above.includes(pattern));
    ways.push({ chosen: union(kept, [...others, node.pattern]), leftOut });
  }
  const [first, second] = ways;
  return second !== undefined && sizeOf(second) < sizeOf(first) ? second : first;
}

/** Patterns of everything below a trail's first node but its last; undefined where the preview does not list all of it. */
function patternsBeside(trail: readonly Node[]): string[] | undefined {
  const folders = trail.slice(0, -1);
  if (!folders.every(({ foldersComplete }) => foldersComplete)) return undefined;
  return folders.flatMap(({ children }, index) => {
    return children.filter((child) => child !== trail[index + 1]).map(({ pattern }) => pattern);
  });
}

/** The longer list counts: the service limits each. */
function sizeOf(ticks: Ticks | undefined): number {
  return Math.max(ticks?.chosen.length ?? 0, ticks?.leftOut.length ?? 0);
}

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}

/** Removes the patterns of a node and of everything below it. */
function without(node: Node, { chosen, leftOut }: Ticks): Ticks {
  const kept = (list: readonly string[]) => list.filter((pattern) => !isWithin(pattern, node));
  return { chosen: kept(chosen), leftOut: kept(leftOut) };
}
