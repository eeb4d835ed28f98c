import access from "./en/access.json";
import dataset from "./en/dataset.json";
import datasets from "./en/datasets.json";
import edit from "./en/edit.json";
import metadata from "./en/metadata.json";
import newSubmission from "./en/new.json";
import problems from "./en/problems.json";
import publication from "./en/publication.json";
import publications from "./en/publications.json";
import receipt from "./en/receipt.json";
import review from "./en/review.json";
import shell from "./en/shell.json";
import signIn from "./en/sign-in.json";
import submission from "./en/submission.json";
import submissions from "./en/submissions.json";
import ui from "./en/ui.json";

/** The texts in this language, one file per part of the page. */
export const en = {
  shell,
  ui,
  submissions,
  "sign-in": signIn,
  metadata,
  new: newSubmission,
  submission,
  dataset,
  datasets,
  edit,
  receipt,
  publication,
  publications,
  access,
  review,
} as const;

/** Texts in the terms of the page, where those of the service are in the terms of the API, by the codes of the problems. */
export const problemsInEnglish = problems;
