import type { ProblemEntry } from "./entry.ts";

/** Warnings: nothing is refused for them. */
export const warnings = {
  role_unknown: {
    title: "The role is not known",
    action: "Use Creator, Contributor or a DataCite contributor type. The role is kept as sent.",
  },
  name_ambiguous: {
    title: "The parts of the author's name contradict each other",
    action: "A person has “firstName” and “lastName”. An organisation has “name”. Remove the other parts.",
  },
  author_name_missing: { title: "An author has no name", action: "Enter the name, or remove the author." },
  license_unknown: {
    title: "The licence is not known",
    action: "Use an SPDX id such as CC-BY-4.0. The text is kept as sent.",
  },
  license_missing: {
    title: "No licence is given",
    action:
      "Add a licence, such as CC-BY-4.0 or CC0-1.0. Without a licence the dataset is marked “all rights reserved”.",
  },
  field_group_retired: {
    title: "The operator has removed a group of fields",
    action: "No action is required: the archived values are kept. To remove them, remove the group from “fields”.",
  },
  field_group_missing: {
    title: "The operator now requires a group of fields",
    action: "Add the values if you have them. Without them the metadata can still be edited.",
  },
  field_values_outdated: {
    title: "The operator has changed a group of fields",
    action:
      "No action is required: the archived values are kept. If you change them, complete the fields that are new.",
  },
  embargo_date_past: {
    title: "The embargo date is in the past",
    action: "Correct the date, or remove it if the data can be published at once.",
  },
  embargo_date_unused: {
    title: "The embargo date does not change the access",
    action:
      "The version is published, and its access decides about the files. To close or open them, change the access of the publication.",
  },
  country_unknown: {
    title: "The country is not known",
    action: "Use an ISO 3166 code or the English name. The text is kept as sent.",
  },
  description_missing: {
    title: "The description is missing",
    action: "Describe the data in 50 to 5,000 characters, so that others can find it.",
  },
  description_short: {
    title: "The description is short",
    action: "Extend it: dataset search engines expect 50 to 5,000 characters.",
  },
  description_long: {
    title: "The description is long",
    action: "Shorten it: dataset search engines expect 50 to 5,000 characters.",
  },
  affiliation_recovered: {
    title: "The affiliation was taken from the beginning of the address",
    action: "Check the affiliation. If it is wrong or incomplete, enter the name of the institution as “affiliation”.",
  },
  affiliation_unclear: {
    title: "No institution was found in the postal address",
    action: "Enter the name of the institution as “affiliation”.",
  },
  more_warnings: {
    title: "More warnings were found than are listed",
    action: "Correct the listed fields and validate the metadata again.",
  },
  bucket_in_endpoint: {
    title: "The endpoint contains the bucket name",
    action: "Enter only the server address. The service removed the bucket name from the endpoint.",
  },
} as const satisfies Record<string, ProblemEntry>;
