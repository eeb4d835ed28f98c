import { expect, test } from "vitest";
import { Shape } from "./preview-shape.ts";

function shapeOf(...objects: [key: string, bytes: number][]): Shape {
  const shape = new Shape();
  for (const [key, bytes] of objects) shape.take({ key, bytes });
  return shape;
}

test("a folder counts everything below it, three levels deep, and what is not selected", () => {
  const shape = shapeOf(["a/b/c/d/e.txt", 5], ["a/b/f.txt", 3], ["a-b/g.txt", 1], ["h.txt", 2]);
  shape.leaveOut({ key: "a/x/left.out", bytes: 7 });
  expect(shape.types()).toEqual([{ extension: "txt", objects: 4, bytes: 11 }]);
  const none = { objects: 0, bytes: 0 };
  expect(shape.folderTree(true).folders).toMatchObject([
    { path: "a-b/", objects: 1, bytes: 1, leftOut: none },
    { path: "a/", objects: 2, bytes: 8, leftOut: { objects: 1, bytes: 7 } },
    { path: "a/b/", objects: 2, bytes: 8, leftOut: none },
    { path: "a/b/c/", objects: 1, bytes: 5, leftOut: none },
    { path: "a/x/", objects: 0, bytes: 0, leftOut: { objects: 1, bytes: 7 } },
  ]);
});

test("empty segments are folders like others", () => {
  expect(
    shapeOf(["x//y", 1], ["/z", 2])
      .folderTree(true)
      .folders.map(({ path }) => path),
  ).toEqual(["/", "x/", "x//"]);
});

test("types are derived from the end of the key, the largest first", () => {
  const shape = shapeOf(["a.csv", 1], ["b.CSV", 2], ["v1.2/README", 4], [".hidden", 8], ["c.not a type", 16]);
  expect(shape.types()).toEqual([
    { extension: "", objects: 2, bytes: 20 },
    { extension: "hidden", objects: 1, bytes: 8 },
    { extension: "csv", objects: 2, bytes: 3 },
  ]);
});

test("a deep first folder does not hide later folders, and no listed folder lacks its parent", () => {
  const shape = new Shape();
  for (let number = 1000; number < 2500; number++) shape.take({ key: `a/${number}/x/y.csv`, bytes: 1 });
  for (let number = 1000; number < 2500; number++) shape.take({ key: `b${number}/y.t${number}`, bytes: 1 });
  const paths = shape.folderTree(true).folders.map(({ path }) => path);
  expect(paths).toHaveLength(1_500);
  expect(paths).toContain("b1000/");
  const known = new Set(paths);
  for (const path of paths) {
    const above = path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
    if (above !== "") expect(known).toContain(above);
  }
  expect(shape.types()).toHaveLength(20);
});

test("a folder states whether all its direct subfolders are listed", () => {
  const shape = new Shape({ foldersPerLevel: 3 });
  for (const key of ["a/1/x", "a/2/x", "b/3/x", "b/4/x", "c/x", "a/1/p/q/x"]) shape.take({ key, bytes: 1 });
  const completeOf = (complete: boolean) => {
    const { folders, foldersComplete } = shape.folderTree(complete);
    return [["", foldersComplete], ...folders.map((folder) => [folder.path, folder.foldersComplete])];
  };
  expect(Object.fromEntries(completeOf(true))).toEqual({
    "": true,
    "a/": true,
    "a/1/": true,
    "a/1/p/": false,
    "a/2/": true,
    "b/": false,
    "b/3/": true,
    "c/": true,
  });
  expect(new Set(completeOf(false).map(([, isComplete]) => isComplete))).toEqual(new Set([false]));
  shape.take({ key: "d/x", bytes: 1 });
  expect(shape.folderTree(true).foldersComplete).toBe(false);
});
