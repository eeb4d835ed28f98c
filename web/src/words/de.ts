// The texts in this language, one file per part of the page.
export { default as problems } from "@accession/rules/words/problems.de.json";
export { default as dataset } from "./de/dataset.json";
export { default as datasets } from "./de/datasets.json";
export { default as edit } from "./de/edit.json";
export { metadata } from "./de/metadata.ts";
export { default as new } from "./de/new.json";
/** The texts for all problems, which the service offers only in English, by the codes of the problems. */
export { default as receipt } from "./de/receipt.json";
export { default as shell } from "./de/shell.json";
export { default as "sign-in" } from "./de/sign-in.json";
export { default as submission } from "./de/submission.json";
export { default as submissions } from "./de/submissions.json";
export { default as ui } from "./de/ui.json";
