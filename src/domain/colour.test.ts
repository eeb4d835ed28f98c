import { expect, test } from "vitest";
import { contrast, hexOf, lightened, rgbOf } from "./colour.ts";

test("the contrast of black and white is 21, and of a colour to itself 1", () => {
  expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21, 5);
  expect(contrast([29, 102, 83], [29, 102, 83])).toBe(1);
  // The smallest grey on white that WCAG accepts.
  expect(contrast(rgbOf("#767676") ?? [0, 0, 0], [255, 255, 255])).toBeCloseTo(4.54, 2);
});

test("a dark colour is made as light as a dark background needs", () => {
  const light = lightened([29, 102, 83], [22, 27, 25], 4.5);
  expect(contrast(light, [22, 27, 25])).toBeGreaterThanOrEqual(4.5);
  expect(hexOf([29, 102, 83])).toBe("#1d6653");
  expect([rgbOf("red"), rgbOf("#fff")]).toEqual([undefined, undefined]);
});
