/**
 * The script of server-rendered pages: adds the comparison of a copy with the dataset to each
 * `<div data-compare data-files="/dataset/ID/files?version=1">`. The page must send the list of files without a token.
 */
import { mountCompare } from "./mount-compare.ts";

for (const place of document.querySelectorAll<HTMLElement>("[data-compare][data-files]")) {
  const { files = "", heading } = place.dataset;
  mountCompare(place, { files, ...(heading === "none" && { headingLevel: 0 }) });
}
