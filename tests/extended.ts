/**
 * `npm run test:extended -- KIND…` runs the extended tests of these kinds, one kind after the other; without a kind, all.
 * tests/README.md says which kind belongs to which module.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Kind, kinds } from "./support/kinds.ts";

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const names = Object.keys(kinds) as Kind[];
const asked = process.argv.slice(2).flatMap((argument) => names.filter((name) => name === argument));
if (asked.length < process.argv.length - 2) {
  console.error(`Usage: npm run test:extended -- [${names.join(" | ")}]…`);
  process.exit(2);
}

const failed = (asked.length === 0 ? names : asked).filter((kind) => {
  const begun = Date.now();
  const { status } = spawnSync(process.execPath, [vitest, "run", ...kinds[kind]], {
    stdio: "inherit",
    env: { ...process.env, EXTENDED: kind },
  });
  console.log(
    `${kind}: ${status === 0 ? "passed" : "failed"} in ${((Date.now() - begun) / 60_000).toFixed(1)} minutes`,
  );
  return status !== 0;
});
process.exitCode = failed.length === 0 ? 0 : 1;
