import { useMemo, useState } from "react";
import { useForm } from "../form.ts";
import { linesOf } from "../request.ts";
import { absorbed, countedState, statesOf, type TickState } from "./ticks.ts";
import { toggled } from "./toggle.ts";
import { type Node, totalOf } from "./tree.ts";

/** The service accepts at most this many patterns of one kind. */
const MOST_PATTERNS = 100;

/** How much is selected, of the objects that the preview counted. */
export interface Chosen {
  objects: number;
  bytes: number;
}

/** Why a check box did not change. */
export type Refusal = "tooManyTicks" | "unlistedFolders";

/** The states of a preview's check boxes, and how to change one. */
export function useTicks(root: Node) {
  const { draft, setWhere, connection } = useForm();
  const { where } = draft;
  const [refusal, setRefusal] = useState<Refusal>();
  const now = useMemo(() => absorbed(where), [where]);
  const typed = { include: linesOf(now.include), exclude: linesOf(now.exclude) };
  const isTyped = typed.include.length > 0;
  const states = useMemo(() => statesOf(root, now, isTyped), [root, now, isTyped]);
  // The count of the service took all patterns into account; after a change only the ticks are known.
  const stateOf = (node: Node): TickState => (connection.isStale ? states.get(node) : undefined) ?? countedState(node);
  const toggle = (trail: readonly Node[]) => {
    const node = trail.at(-1);
    if (node === undefined) return;
    const ticks = toggled(now, { trail, to: stateOf(node) === "on" ? "off" : "on", isTyped });
    if (ticks === undefined) return setRefusal("unlistedFolders");
    const most = Math.max(typed.include.length + ticks.chosen.length, typed.exclude.length + ticks.leftOut.length);
    if (most > MOST_PATTERNS) return setRefusal("tooManyTicks");
    setRefusal(undefined);
    setWhere({ ...now, ...ticks });
  };
  const isKnown = connection.isStale && typed.include.length + typed.exclude.length === 0;
  return { stateOf, toggle, refusal, chosen: isKnown ? sumOf(root, states) : undefined };
}

/** The size of the ticked objects; undefined if patterns select a part of a node that was counted as a whole. */
function sumOf(node: Node, states: ReadonlyMap<Node, TickState>): Chosen | undefined {
  const state = states.get(node);
  if (state === "on") return totalOf(node);
  if (state === "off") return { objects: 0, bytes: 0 };
  if (node.children.length === 0) return undefined;
  const sum = { objects: 0, bytes: 0 };
  for (const child of node.children) {
    const part = sumOf(child, states);
    if (part === undefined) return undefined;
    sum.objects += part.objects;
    sum.bytes += part.bytes;
  }
  return sum;
}
