import { useMemo, useState } from "react";
import { useForm } from "../form.ts";
import { linesOf } from "../request.ts";
import { absorbed, countedState, statesOf, type TickState, toggled } from "./ticks.ts";
import { type Node, totalOf } from "./tree.ts";

/** The service takes no more patterns of one kind. */
const MOST_PATTERNS = 100;

/** How much is ticked, as far as it was counted. */
export interface Chosen {
  objects: number;
  bytes: number;
}

/** How the folders of a preview stand, and what ticking one changes of the selection. */
export function useTicks(root: Node) {
  const { draft, setWhere, connection } = useForm();
  const { where } = draft;
  const [isFull, setFull] = useState(false);
  const now = useMemo(() => absorbed(where), [where]);
  const states = useMemo(() => statesOf(root, now), [root, now]);
  const typed = { include: linesOf(now.include), exclude: linesOf(now.exclude) };
  // What was counted knows all patterns; after a tick only ticks are known.
  const stateOf = (node: Node): TickState => (connection.isStale ? states.get(node) : undefined) ?? countedState(node);
  const toggle = (trail: readonly Node[]) => {
    const node = trail.at(-1);
    if (node === undefined) return;
    const to = stateOf(node) === "on" ? "off" : "on";
    const ticks = toggled(now, { trail, to, isTyped: typed.include.length > 0 });
    const most = Math.max(typed.include.length + ticks.chosen.length, typed.exclude.length + ticks.leftOut.length);
    setFull(most > MOST_PATTERNS);
    if (most <= MOST_PATTERNS) setWhere({ ...now, ...ticks });
  };
  const isKnown = connection.isStale && typed.include.length + typed.exclude.length === 0;
  return { stateOf, toggle, isFull, chosen: isKnown ? sumOf(root, states) : undefined };
}

/** What lies below the nodes that are ticked. */
function sumOf(node: Node, states: ReadonlyMap<Node, TickState>): Chosen {
  const state = states.get(node);
  if (state === "on") return totalOf(node);
  if (state === "off") return { objects: 0, bytes: 0 };
  return node.children
    .map((child) => sumOf(child, states))
    .reduce((sum, { objects, bytes }) => ({ objects: sum.objects + objects, bytes: sum.bytes + bytes }));
}
