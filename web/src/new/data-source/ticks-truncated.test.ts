import { describe, expect, test } from "vitest";
import { compileSelection } from "../../../../src/domain/submission/selection.ts";
import { Shape } from "../../../../src/intake/preview-shape.ts";
import { newDraft } from "../draft.ts";
import { absorbed, statesOf, type Ticks } from "./ticks.ts";
import { toggled } from "./toggle.ts";
import { growTree, type Node } from "./tree.ts";

const NONE: Ticks = { chosen: [], leftOut: [] };

const selectionOf = ({ chosen, leftOut }: Ticks, typed: readonly string[] = []) =>
  compileSelection({ include: [...typed, ...chosen], exclude: [...leftOut] });

/** The tree of a preview. @param listed the keys that the service listed before the time limit */
function treeOf(listed: readonly string[], { foldersPerLevel = 500, complete = true } = {}): Node {
  const shape = new Shape({ foldersPerLevel });
  for (const key of listed) shape.take({ key, bytes: 1 });
  const amount = { objects: listed.length, bytes: listed.length };
  return growTree({ ...shape.folderTree(complete), ...amount, leftOut: { objects: 0, bytes: 0 } });
}

function trailTo(root: Node, ...paths: string[]): Node[] {
  const trail = [root];
  for (const path of paths) trail.push(trail.at(-1)?.children.find((child) => child.path === path) as Node);
  return trail;
}

function trailsOf(node: Node, above: Node[] = []): Node[][] {
  const trail = [...above, node];
  return [trail, ...node.children.flatMap((child) => trailsOf(child, trail))];
}

const isBelow = (key: string, { path }: Node) => key.startsWith(path);

/** Whether the page counts a key in at a node of the tree, whether the preview has listed it or not. */
function isAt(key: string, [node, above]: [Node, Node | undefined]): boolean {
  if (node.kind === "folder") return isBelow(key, node);
  if (!isBelow(key, node)) return false;
  if (node.kind === "own") return !key.slice(node.path.length).includes("/");
  return !(above?.children ?? []).some((child) => child.kind === "folder" && isBelow(key, child));
}

function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

describe("ticking folders of a preview that does not list all of them", () => {
  const aaa = Array.from({ length: 480 }, (_, number) => `aaa/${1000 + number}/x`);
  const b = Array.from({ length: 60 }, (_, number) => `b/${1000 + number}/x`);

  test("selects one folder of many, and nothing of the folders that are not listed", () => {
    const root = treeOf([...aaa, ...b]);
    const folder = trailTo(root, "b/");
    const off = toggled(NONE, { trail: folder, to: "off", isTyped: false }) ?? NONE;
    const on = toggled(off, { trail: trailTo(root, "b/", "b/1003/"), to: "on", isTyped: false }) ?? NONE;
    expect(b.filter(selectionOf(on))).toEqual(["b/1003/x"]);
    expect(aaa.filter(selectionOf(on))).toEqual(aaa);
  });

  test("does not call folders that are not listed files of the folder above them", () => {
    const root = treeOf([...aaa, ...b]);
    const rest = trailTo(root, "b/").at(-1)?.children.at(-1);
    expect(rest).toMatchObject({ kind: "rest", objects: 40 });
    expect(
      trailTo(root, "b/")
        .at(-1)
        ?.children.some(({ kind }) => kind === "own"),
    ).toBe(false);
  });

  test("refuses a choice that patterns cannot express, and accepts it after the whole bucket is deselected", () => {
    const root = treeOf([...aaa, ...b], { complete: false });
    const [folder, child] = [trailTo(root, "b/"), trailTo(root, "b/", "b/1003/")];
    const off = toggled(NONE, { trail: folder, to: "off", isTyped: false }) ?? NONE;
    expect(toggled(off, { trail: child, to: "on", isTyped: false })).toBeUndefined();
    const none = toggled(off, { trail: [root], to: "off", isTyped: false }) ?? NONE;
    const on = toggled(none, { trail: child, to: "on", isTyped: false }) ?? NONE;
    expect([...aaa, ...b, "zzz/unlisted"].filter(selectionOf(on))).toEqual(["b/1003/x"]);
  });

  test.each(Array.from({ length: 300 }, (_, seed) => seed))("shows what the service selects (%i)", (seed) => {
    const random = numbers(seed + 1);
    const next = (below: number) => Math.floor((random.next().value as number) * below);
    const part = () => ["a", "b", "c*", "d\\", "e?", "f"][next(6)];
    const keys = [...new Set(Array.from({ length: 60 }, () => [...Array(next(5)).keys()].map(part).join("/")))]
      .filter((key) => key !== "")
      .map((key) => (next(5) === 0 ? `${key}/` : key))
      .sort();
    const complete = next(2) === 0;
    const listed = complete ? keys : keys.slice(0, 1 + next(keys.length));
    const root = treeOf(listed, { foldersPerLevel: 1 + next(6), complete });
    const trails = trailsOf(root).filter((trail) => trail.at(-1)?.kind !== "rest");
    const typed = next(4) === 0 ? ["**a"] : [];
    const typedTicks = next(3) === 0 ? ["a/b/a/**", "b/*", "zzz/**", "a/a/a/a/**"] : [];
    const seeded = absorbed({ ...newDraft().dataSource, include: typedTicks.slice(next(4)).join("\n") });
    let ticks: Ticks = { chosen: seeded.chosen, leftOut: next(3) === 0 ? ["a/**", "a/b/**", "b/a/b/a/**"] : [] };
    for (let step = 0; step < 25; step++) {
      const trail = trails[next(trails.length)] ?? [root];
      const node = trail.at(-1) as Node;
      const to = statesOf(root, ticks, typed.length > 0).get(node) === "on" ? "off" : "on";
      const before = selectionOf(ticks, typed);
      const after = toggled(ticks, { trail, to, isTyped: typed.length > 0 });
      if (after === undefined) continue;
      ticks = after;
      const selects = selectionOf(ticks, typed);
      const at = [node, trail.at(-2)] as [Node, Node | undefined];
      for (const key of keys) {
        // Clearing the whole bucket and starting over lets typed patterns count again, which the page shows.
        const expected = isAt(key, at) ? to === "on" : before(key);
        if (typed.length === 0 || isAt(key, at)) expect([key, selects(key)]).toEqual([key, expected]);
      }
      const states = statesOf(root, ticks, typed.length > 0);
      for (const one of trailsOf(root)) {
        const shown = one.at(-1) as Node;
        const found = keys.filter((key) => isAt(key, [shown, one.at(-2)]));
        if (states.get(shown) === "on") expect(found.filter(selects)).toEqual(found);
        if (states.get(shown) === "off") expect(found.filter(selects)).toEqual([]);
      }
    }
  });
});

test("a typed pattern below the listed folders is shown, and removed with the folder that it is in", () => {
  const root = treeOf(["a/b/c/d/x", "a/b/c/e/x", "z"]);
  const typed = absorbed({ ...newDraft().dataSource, include: "a/b/c/d/**" });
  const trail = trailTo(root, "a/");
  expect(statesOf(root, typed).get(trail.at(-1) as Node)).toBe("mixed");
  const on = toggled(typed, { trail, to: "on", isTyped: false }) ?? NONE;
  const off = toggled(on, { trail, to: "off", isTyped: false }) ?? NONE;
  expect(["a/b/c/d/x", "a/b/c/e/x", "z"].filter(selectionOf(off))).toEqual([]);
});
