import access from "./de/access.json";
import dataset from "./de/dataset.json";
import datasets from "./de/datasets.json";
import edit from "./de/edit.json";
import metadata from "./de/metadata.json";
import newSubmission from "./de/new.json";
import problems from "./de/problems.json";
import publication from "./de/publication.json";
import publications from "./de/publications.json";
import receipt from "./de/receipt.json";
import review from "./de/review.json";
import shell from "./de/shell.json";
import signIn from "./de/sign-in.json";
import submission from "./de/submission.json";
import submissions from "./de/submissions.json";
import ui from "./de/ui.json";

/** The texts in this language, one file per part of the page. */
export const de = {
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

/** The texts for all problems, which the service offers only in English, by the codes of the problems. */
export const problemsInGerman = problems;
