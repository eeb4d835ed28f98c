import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../web/src");

/** Class names by stylesheet: those that components use, and those that the stylesheet defines. */
function classNames(): Map<string, { used: Set<string>; defined: Set<string> }> {
  const sheets = new Map<string, { used: Set<string>; defined: Set<string> }>();
  for (const path of globSync("**/*.module.css", { cwd: root })) {
    const css = readFileSync(join(root, path), "utf8").replaceAll(/\/\*.*?\*\//gs, "");
    const selectors = css.matchAll(/[^{};]+(?=\{)/g);
    const names = [...selectors].flatMap(([selector]) =>
      [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name),
    );
    sheets.set(path, { used: new Set(), defined: new Set(names as string[]) });
  }
  for (const path of globSync("**/*.tsx", { cwd: root })) {
    const code = readFileSync(join(root, path), "utf8");
    for (const [, variable, specifier] of code.matchAll(/import (\w+) from "(\.[^"]+\.module\.css)"/g)) {
      const sheet = sheets.get(join(dirname(path), specifier ?? ""));
      for (const [, name] of code.matchAll(new RegExp(`\\b${variable}\\.(\\w+)`, "g"))) sheet?.used.add(name ?? "");
    }
  }
  return sheets;
}

test("components use the class names that their stylesheets define, and all of them", () => {
  const sheets = [...classNames()];
  expect(sheets.length).toBeGreaterThan(20);
  const differences = sheets.flatMap(([path, { used, defined }]) => [
    ...[...used.difference(defined)].map((name) => `${path}: .${name} is used and not defined`),
    ...[...defined.difference(used)].map((name) => `${path}: .${name} is defined and not used`),
  ]);
  expect(differences).toEqual([]);
});
