import type { Page } from "playwright-core";
import type { DemoService } from "./demo-service.ts";
import {
  reviewAll,
  searchAffiliation,
  testConnection,
  uploadFolder,
  writeAuthors,
  writeDescription,
  writeMore,
} from "./new-submission.ts";

/** What the screenshots show. */
export type Shown = DemoService & {
  /** The id of a published dataset. */
  published: string;
};

/** A screenshot: the path of the page, and the steps before it is taken. */
export interface Screenshot {
  /** The file name, without suffix. */
  name: string;
  /** The path on the service. */
  path: (shown: Shown) => string;
  /** Uses another service: one without submissions, one that requires authentication, or one that publishes. */
  on?: "empty" | "closed" | "public";
  /** Performs the required steps and waits until the content is visible. */
  prepare: (page: Page, shown: Shown) => Promise<void>;
}

const waitForText = (text: string | RegExp) => async (page: Page) =>
  page.getByText(text).first().waitFor({ timeout: 40_000 });
const heading = async (page: Page) => page.getByRole("heading", { level: 1 }).waitFor();

/** All screenshots. */
export const screenshots: Screenshot[] = [
  { name: "submissions", path: () => "/app/", prepare: waitForText("spectra") },
  { name: "submissions-empty", path: () => "/app/", on: "empty", prepare: heading },
  { name: "new", path: () => "/app/new", prepare: heading },
  { name: "new-data-source", path: () => "/app/new", prepare: testConnection },
  { name: "new-upload", path: () => "/app/new", on: "empty", prepare: uploadFolder },
  { name: "new-description", path: () => "/app/new?part=description", prepare: writeDescription },
  { name: "new-more", path: () => "/app/new?part=description", prepare: writeMore },
  { name: "new-authors", path: () => "/app/new?part=authors", prepare: writeAuthors },
  { name: "new-suggestions", path: () => "/app/new?part=authors", prepare: searchAffiliation },
  { name: "new-review", path: () => "/app/new", prepare: reviewAll },
  {
    name: "new-version",
    path: ({ submissions }) => `/app/new?dataset=${submissions.completed.dataset?.id}`,
    prepare: waitForText(/Copy the entries|Angaben aus Version/),
  },
  {
    name: "submission",
    path: ({ submissions }) => `/app/submissions/${submissions.transferring.id}`,
    prepare: waitForText(/(last|Zeitraum:) 2\d/),
  },
  {
    name: "submission-waiting",
    path: ({ submissions }) => `/app/submissions/${submissions.waiting.id}`,
    prepare: waitForText("objects_unreadable"),
  },
  {
    name: "submission-completed",
    path: ({ submissions }) => `/app/submissions/${submissions.completed.id}`,
    prepare: async (page) => page.getByRole("grid").getByText("README.md").waitFor(),
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
    prepare: waitForText(/signature is valid|Signatur ist gültig/),
  },
  { name: "catalogue", path: () => "/?q=wheat", on: "public", prepare: heading },
  { name: "landing", path: ({ published }) => `/dataset/${published}`, on: "public", prepare: heading },
  { name: "sign-in", path: () => "/app/sign-in", on: "closed", prepare: heading },
  { name: "not-found", path: () => "/app/nowhere", prepare: heading },
];
