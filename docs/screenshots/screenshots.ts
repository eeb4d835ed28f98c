import type { Page } from "playwright-core";
import type { DemoService } from "./demo-service.ts";
import { reviewAll, testConnection, writeAuthors, writeDescription } from "./new-submission.ts";

/** One picture: where it is taken, and what is done before. */
export interface Screenshot {
  /** The name of its file. */
  name: string;
  /** Below the service’s address. */
  path: (stage: DemoService) => string;
  /** Of another service than the one with submissions: one without any, or one that asks to sign in. */
  on?: "empty" | "closed";
  /** Waits for what is to be seen, and does what has to be done before. */
  prepare: (page: Page, stage: DemoService) => Promise<void>;
}

const sees = (text: string | RegExp) => async (page: Page) => page.getByText(text).first().waitFor({ timeout: 40_000 });
const heading = async (page: Page) => page.getByRole("heading", { level: 1 }).waitFor();

/** Every page of which there are pictures; a new page adds its line. */
export const screenshots: Screenshot[] = [
  { name: "submissions", path: () => "/app/", prepare: sees("spectra") },
  { name: "submissions-empty", path: () => "/app/", on: "empty", prepare: heading },
  { name: "new", path: () => "/app/new", prepare: heading },
  { name: "new-data-source", path: () => "/app/new", prepare: testConnection },
  { name: "new-description", path: () => "/app/new?part=description", prepare: writeDescription },
  { name: "new-authors", path: () => "/app/new?part=authors", prepare: writeAuthors },
  { name: "new-review", path: () => "/app/new", prepare: reviewAll },
  {
    name: "new-version",
    path: ({ submissions }) => `/app/new?dataset=${submissions.completed.dataset?.id}`,
    prepare: sees(/Copy the entries|Angaben aus Version/),
  },
  {
    name: "submission",
    path: ({ submissions }) => `/app/submissions/${submissions.transferring.id}`,
    prepare: sees(/(last|Zeitraum:) 2\d/),
  },
  {
    name: "submission-waiting",
    path: ({ submissions }) => `/app/submissions/${submissions.waiting.id}`,
    prepare: sees("objects_unreadable"),
  },
  {
    name: "submission-completed",
    path: ({ submissions }) => `/app/submissions/${submissions.completed.id}`,
    prepare: sees("README.md"),
  },
  {
    name: "submission-log",
    path: ({ submissions }) => `/app/submissions/${submissions.completed.id}`,
    prepare: async (page) => page.getByRole("tab").last().click(),
  },
  {
    name: "dataset",
    path: ({ submissions }) => `/app/datasets/${submissions.completed.dataset?.id}`,
    prepare: heading,
  },
  {
    name: "datasets",
    path: () => "/app/datasets",
    prepare: async (page) => page.getByRole("listitem").first().waitFor(),
  },
  {
    name: "receipt",
    path: ({ submissions }) => `/app/receipts/${submissions.completed.id}`,
    prepare: sees(/signature is valid|Signatur ist gültig/),
  },
  { name: "sign-in", path: () => "/app/sign-in", on: "closed", prepare: heading },
  { name: "not-found", path: () => "/app/nowhere", prepare: heading },
];
