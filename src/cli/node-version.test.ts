import { expect, test } from "vitest";
import { nodeVersionProblem } from "./node-version.ts";

test.each(["18.0.0", "20.20.2", "23.99.0", "24.0.0", "24.1.5"])("Node.js %s is too old, and says so", (version) => {
  expect(nodeVersionProblem(version)).toMatch(new RegExp(`needs Node\\.js 24\\.2 or newer, and this is ${version}`));
});

test.each(["24.2.0", "24.10.1", "25.0.0", "26.1.0-nightly"])("Node.js %s is new enough", (version) => {
  expect(nodeVersionProblem(version)).toBeUndefined();
});
