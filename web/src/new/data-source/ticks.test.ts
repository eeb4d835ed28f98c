import { describe, expect, test } from "vitest";
import { compileSelection } from "../../../../src/domain/submission/selection.ts";
import { Shape } from "../../../../src/intake/preview-shape.ts";
import { newDraft } from "../draft.ts";
import { absorbed, isOfFolder, statesOf, type TickState, type Ticks } from "./ticks.ts";
import { toggled } from "./toggle.ts";
import { growTree, type Node } from "./tree.ts";

const FOLDERS = [
  "a*b",
  "a",
  "ab",
  "a?b",
  "axb",
  "a\\b",
  "a\\*",
  "[x]",
  "{y}",
  " lead",
  "line\nbreak",
  "%41",
  "A",
  "\u{1F600}",
  "**",
];
const KEYS = [
  "top.txt",
  "*",
  ...FOLDERS.flatMap((name) => [`${name}/own`, `${name}/in/deep/er/x`, `${name}/in/y`, `${name}/other*/z`]),
];

function treeOf(keys: string[]): Node {
  const shape = new Shape();
  for (const key of keys) shape.take({ key, bytes: 1 });
  return growTree({
    ...shape.folderTree(true),
    objects: keys.length,
    bytes: keys.length,
    leftOut: { objects: 0, bytes: 0 },
  });
}

function trailsOf(node: Node, above: Node[] = []): Node[][] {
  const trail = [...above, node];
  return [trail, ...node.children.flatMap((child) => trailsOf(child, trail))];
}

const leavesOf = (node: Node): Node[] => (node.children.length === 0 ? [node] : node.children.flatMap(leavesOf));

const isIn = ({ path, kind }: Node, key: string) =>
  key.startsWith(path) && (kind !== "own" || !key.slice(path.length).includes("/"));

/** The same numbers each time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe("ticking folders", () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))(
    "chooses exactly what is ticked, whatever folders are called (%i)",
    (seed) => {
      const root = treeOf(KEYS);
      const trails = trailsOf(root);
      const random = numbers(seed + 1);
      const next = () => random.next().value as number;
      let ticks: Ticks = { chosen: [], leftOut: [] };
      const on = new Set(leavesOf(root));
      for (let step = 0; step < 25; step++) {
        const trail = trails[Math.floor(next() * trails.length)] ?? [root];
        const node = trail.at(-1) ?? root;
        const to = statesOf(root, ticks).get(node) === "on" ? "off" : "on";
        ticks = toggled(ticks, { trail, to, isTyped: false }) ?? ticks;
        for (const leaf of leavesOf(node)) {
          if (to === "on") on.add(leaf);
          else on.delete(leaf);
        }
        const selects = compileSelection({ include: [...ticks.chosen], exclude: [...ticks.leftOut] });
        const expected = KEYS.filter((key) => [...on].some((leaf) => isIn(leaf, key)));
        expect(KEYS.filter((key) => selects(key))).toEqual(expected);
        const states = statesOf(root, ticks);
        for (const [one] of trails.map((trail) => trail.slice(-1))) {
          if (one !== undefined) expect(states.get(one)).toBe(expectedState(one, on));
        }
      }
    },
  );

  test("extends entered include patterns, and excludes with priority", () => {
    const root = treeOf(["a/x.csv", "a/y.txt", "b/x.csv"]);
    const [a, b] = root.children;
    const selects = (ticks: Ticks) => (key: string) =>
      compileSelection({ include: ["**.csv", ...ticks.chosen], exclude: [...ticks.leftOut] })(key);
    const none: Ticks = { chosen: [], leftOut: [] };
    const more = toggled(none, { trail: [root, a as Node], to: "on", isTyped: true }) ?? none;
    expect(["a/x.csv", "a/y.txt", "b/x.csv"].filter(selects(more))).toEqual(["a/x.csv", "a/y.txt", "b/x.csv"]);
    const less = toggled(more, { trail: [root, b as Node], to: "off", isTyped: true }) ?? more;
    expect(["a/x.csv", "a/y.txt", "b/x.csv"].filter(selects(less))).toEqual(["a/x.csv", "a/y.txt"]);
  });
});

function expectedState(node: Node, on: ReadonlySet<Node>): TickState {
  const leaves = leavesOf(node);
  const count = leaves.filter((leaf) => on.has(leaf)).length;
  if (count === 0) return "off";
  return count === leaves.length ? "on" : "mixed";
}

test("entered patterns of folders become selected folders, and other patterns remain", () => {
  const dataSource = { ...newDraft().dataSource, include: "**.csv\nruns/**", exclude: "a\\*b/*\n**/.*" };
  expect(absorbed(dataSource)).toEqual({
    include: "**.csv",
    exclude: "**/.*",
    chosen: ["runs/**"],
    leftOut: ["a\\*b/*"],
  });
  expect(["**", "*", "a/**", "a\\?/b/*"].map(isOfFolder)).toEqual([true, true, true, true]);
  expect(["a**", "a*/**", "?/**", "a/**/b", "a/***"].map(isOfFolder)).toEqual([false, false, false, false, false]);
});
