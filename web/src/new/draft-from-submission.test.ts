import type { Submission } from "@accession/client";
import { expect, test } from "vitest";
import { draftFromSubmission } from "./draft-from-submission.ts";

test.each([
  ["2031-01-01T00:00:00Z", "2031-01-01"],
  ["2031-01-01", "2031-01-01"],
  ["soon", ""],
])("an embargo until “%s” is taken over as “%s”, as the field takes days alone", (embargoDate, day) => {
  const source = { endpoint: "https://s3.example.org", bucket: "barley" };
  const { description } = draftFromSubmission({ metadata: { embargoDate }, source } as unknown as Submission);
  expect(description.embargoDate).toBe(day);
});
