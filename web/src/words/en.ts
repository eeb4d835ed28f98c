// The texts in this language, one file per part of the page.
export { default as dataset } from "./en/dataset.json";
export { default as datasets } from "./en/datasets.json";
export { default as edit } from "./en/edit.json";
export { metadata } from "./en/metadata.ts";
export { default as new } from "./en/new.json";
/** Texts in the terms of the page, where those of the service are in the terms of the API, by the codes of the problems. */
export { default as problems } from "./en/problems.json";
export { default as receipt } from "./en/receipt.json";
export { default as shell } from "./en/shell.json";
export { default as "sign-in" } from "./en/sign-in.json";
export { default as submission } from "./en/submission.json";
export { default as submissions } from "./en/submissions.json";
export { default as ui } from "./en/ui.json";
