import type { Static } from "typebox";
import type { NewReviewerLink, ReviewerLinkView, ReviewFileView, ReviewView } from "../schemas/review.ts";
import { metadata } from "./examples.ts";

/** Examples of the OpenAPI document about reviewer links. */

export const REVIEWER_LINK = "0e9a4c55-7d1e-4f0b-8d0f-5d2c8a1b6e44";

export const review: Static<typeof ReviewView> = {
  page: {
    heading: '<p class="badges"><span class="badge">Dataset</span> <span class="dim small">Version 1</span></p>',
    description: `<section aria-labelledby="description"><h2 id="description">Description</h2><div class="lines">${metadata.description}</div></section>`,
    further: "",
    details:
      '<section class="box" aria-labelledby="details"><h2 id="details">Details</h2><dl><dt>Language of the data</dt><dd>English</dd></dl></section>',
  },
  anonymous: true,
  expiresAt: "2026-09-01T08:00:00.000Z",
  state: "in_review",
  version: 1,
  metadata: {
    title: metadata.title,
    description: metadata.description,
    subjects: metadata.subjects,
    language: "en",
    license: {
      spdx: "CC-BY-4.0",
      name: "Creative Commons Attribution 4.0 International",
      url: "https://creativecommons.org/licenses/by/4.0/legalcode",
    },
  },
  named: null,
  files: { number: 24, bytes: 2_043_504, leftOut: 1 },
  commitment: { sha512: "4f".repeat(64), metadataRevision: 1, since: "2026-06-01T08:20:00.000Z" },
  earlierCommitments: [],
};

export const reviewFile: Static<typeof ReviewFileView> = {
  path: "data/measurements/plot-01.csv",
  bytes: 85_146,
  sha512: "4f".repeat(64),
};

export const reviewerLink: Static<typeof ReviewerLinkView> = {
  id: REVIEWER_LINK,
  version: 1,
  label: "Journal of Soil Data, first round",
  anonymous: true,
  state: "usable",
  createdBy: "josiah",
  createdAt: "2026-06-03T08:00:00.000Z",
  expiresAt: "2026-09-01T08:00:00.000Z",
  revokedAt: null,
  revokedBy: null,
  visits: 2,
  lastVisitAt: "2026-06-12T14:10:00.000Z",
  filesLeftOut: 1,
};

export const newReviewerLink: Static<typeof NewReviewerLink> = {
  ...reviewerLink,
  visits: 0,
  lastVisitAt: null,
  url: `https://archive.example.org/app/review#rev_${"x".repeat(43)}`,
  findings: [
    { kind: "name", text: "Carberry", place: { field: "/description" } },
    { kind: "excluded", text: "README.md", place: { file: "data/README.md" } },
  ],
  findingsTotal: 2,
};
