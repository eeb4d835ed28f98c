import type { ProblemEntry } from "./entry.ts";

/** Warnings: nothing is refused for them. */
export const warnings = {
  role_unknown: {
    fault: "submitter",
    title: "This role is not known",
    action: "Use Creator, Contributor or one of DataCite’s contributor types; the role is kept as sent.",
  },
  license_unknown: {
    fault: "submitter",
    title: "This licence is not known",
    action: "Use an SPDX id such as CC-BY-4.0; the text is kept as sent.",
  },
  license_missing: {
    fault: "submitter",
    title: "No licence is stated",
    action: "Without one nobody may reuse the data; CC-BY-4.0 and CC0-1.0 are usual.",
  },
  country_unknown: {
    fault: "submitter",
    title: "This country is not known",
    action: "Use an ISO 3166 code or English name; the text is kept as sent.",
  },
  ror_invalid: {
    fault: "submitter",
    title: "This is not a ROR id",
    action: "Copy it from ror.org; the text is kept as sent.",
  },
  description_missing: {
    fault: "submitter",
    title: "There is no description",
    action: "Describe the data in 50 to 5,000 characters, so that it can be found.",
  },
  description_short: {
    fault: "submitter",
    title: "The description is short",
    action: "Search engines want 50 to 5,000 characters.",
  },
  description_long: {
    fault: "submitter",
    title: "The description is long",
    action: "Search engines want 50 to 5,000 characters.",
  },
  affiliation_recovered: {
    fault: "submitter",
    title: "The affiliation was read from the beginning of the address",
    action: "Check it. If it is wrong or not complete, send the name of the institution as “affiliation”.",
  },
  affiliation_unclear: {
    fault: "submitter",
    title: "No affiliation was read from the address",
    action: "Send the name of the institution as “affiliation”.",
  },
  more_warnings: {
    fault: "submitter",
    title: "There are more warnings than are listed",
    action: "Correct the listed members and validate the metadata again.",
  },
  bucket_in_endpoint: {
    fault: "submitter",
    title: "The endpoint holds the bucket’s name",
    action: "Give the server’s address alone; the bucket’s name was taken out of it.",
  },
} as const satisfies Record<string, ProblemEntry>;
