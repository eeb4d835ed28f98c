import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import type { Progress } from "../../../packages/client/src/index.ts";
import { progressLine } from "./progress.ts";

const progress: Progress = {
  listingComplete: true,
  objectsListed: 1_234,
  bytesListed: 80_000_000,
  objectsStored: 617,
  bytesStored: 40_000_000,
  objectsFailed: 3,
  objectsExcluded: 0,
  bytesPerSecond: 5_000_000,
  secondsLeft: 8,
  stalled: null,
};

it.each([40, 60, 80, 120])("fits into %i columns", (columns) => {
  const line = progressLine({ status: "transferring", attempt: 1, progress }, columns);
  expect(line.width).toBeLessThanOrEqual(columns);
  expect(stripVTControlCharacters(line.text)).toContain("50 %");
});

it("contains all parts if the terminal is wide enough", () => {
  const line = progressLine({ status: "transferring", attempt: 1, progress }, 140);
  expect(stripVTControlCharacters(line.text)).toMatch(
    /^transferring █{15}░{15} {2}50 % {2}617 of 1,234 objects {2}38\.1 of 76\.3 MiB {2}3 unreadable {2}8 s left {2}4\.8 MiB\/s$/,
  );
});

it("counts the listed objects during the listing", () => {
  const line = progressLine({ status: "listing", attempt: 1, progress: { ...progress, listingComplete: false } }, 120);
  expect(stripVTControlCharacters(line.text)).toContain("1,234 objects found  617 stored");
});

it("states since when the source has sent no data and when the transfer is stopped, instead of the remaining time", () => {
  const stalled = { since: "2026-11-22T12:00:05Z", until: "2026-11-22T12:03:05Z" };
  const still = { ...progress, bytesPerSecond: null, secondsLeft: null, stalled };
  const line = progressLine({ status: "transferring", attempt: 1, progress: still }, 160);
  const time = (iso: string) => new Date(iso).toTimeString().slice(0, 8);
  expect(stripVTControlCharacters(line.text)).toContain(
    `3 unreadable  no data since ${time(stalled.since)}  stops at ${time(stalled.until)}`,
  );
  expect(line.text).not.toContain(" left");
  expect(progressLine({ status: "transferring", attempt: 1, progress: still }, 60).width).toBeLessThanOrEqual(60);
});
