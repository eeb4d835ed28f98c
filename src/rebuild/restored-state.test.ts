import { expect, test } from "vitest";
import type { PublicationRecord } from "../archive/receipts/publication-record.ts";
import type { ReviewRecord } from "../archive/receipts/review-record.ts";
import { PUBLICATION_STATES, type PublicationState } from "../publication/rules/states.ts";
import { restoredState } from "./restored-state.ts";

const record = (state: PublicationRecord["state"], number = 2, publishedAt?: string) =>
  ({ state, number, ...(publishedAt !== undefined && { publishedAt }) }) as PublicationRecord;
const review = (state: PublicationState, publicationRecords = 0, mode = "review", publishedAt: string | null = null) =>
  ({ publication: { state, publishedAt }, publicationRecords, mode }) as ReviewRecord;
const AT = "2026-11-27T10:00:00.000Z";

const stateOf = (of: Parameters<typeof restoredState>[0]) => restoredState(of).state;

test("without a publication record nothing is public, and what leads to publication is asked for again", () => {
  const states = PUBLICATION_STATES.map((state) => [
    state,
    stateOf({ record: undefined, review: review(state) }),
    stateOf({ record: undefined, review: review(state, 0, "direct") }),
  ]);
  expect(states).toEqual([
    ["private", "private", "private"],
    ["in_review", "in_review", "in_review"],
    ["changes_requested", "changes_requested", "changes_requested"],
    ["declined", "declined", "declined"],
    ["approved", "in_review", "private"],
    ["registering", "in_review", "private"],
    ["published", "in_review", "private"],
    ["withdrawn", "withdrawn", "withdrawn"],
  ]);
  expect(restoredState({ record: undefined, review: undefined }).state).toBe("private");
});

test("a version is public according to its record, unless a later review says that the publication has ended", () => {
  const published = record("published", 2, AT);
  const after = PUBLICATION_STATES.map((state) => [state, stateOf({ record: published, review: review(state, 2) })]);
  expect(Object.fromEntries(after)).toEqual({
    ...{ private: "private", in_review: "in_review", changes_requested: "changes_requested", declined: "declined" },
    ...{ approved: "in_review", registering: "published", published: "published", withdrawn: "withdrawn" },
  });
  for (const state of PUBLICATION_STATES) {
    expect([state, stateOf({ record: published, review: review(state, 1) })]).toEqual([state, "published"]);
  }
  expect(stateOf({ record: published, review: undefined })).toBe("published");
});

test("a version that was withdrawn before it was published was never published", () => {
  const ended = { record: record("published", 1, AT), review: review("withdrawn", 1) };
  expect(restoredState(ended)).toEqual({ state: "withdrawn", wasPublished: false, isAskedAgain: false });
  const withdrawn = { record: record("published", 1, AT), review: review("withdrawn", 1, "review", AT) };
  expect(restoredState(withdrawn)).toMatchObject({ state: "withdrawn", wasPublished: true });
  expect(restoredState({ record: record("withdrawn", 2), review: review("published", 2) })).toMatchObject({
    ...{ state: "withdrawn", wasPublished: false },
  });
});

test("a request that follows a publication that was taken back remains", () => {
  const taken = record("taken_back", 2);
  expect(stateOf({ record: taken, review: review("in_review", 1) })).toBe("in_review");
  expect(stateOf({ record: taken, review: review("registering", 1) })).toBe("private");
  expect(stateOf({ record: taken, review: review("registering", 2) })).toBe("in_review");
  expect(stateOf({ record: taken, review: undefined })).toBe("private");
});
