import type { ProblemEntry } from "./entry.ts";

/** Faults of single members of a request. */
export const members = {
  required: { fault: "submitter", title: "A required member is missing", action: "Add the member." },
  wrong_type: {
    fault: "submitter",
    title: "The value has the wrong type",
    action: "Send a value of the type named in the detail.",
  },
  wrong_value: {
    fault: "submitter",
    title: "The value is not allowed",
    action: "Send a value that the detail names.",
  },
  too_long: { fault: "submitter", title: "The value is too long", action: "Shorten the value." },
  metadata_too_large: {
    fault: "submitter",
    title: "The metadata is too large",
    action: "Shorten the longest texts, or move details to a file of the dataset.",
  },
  too_short: { fault: "submitter", title: "The value is too short", action: "Send a longer value." },
  unknown_member: {
    fault: "submitter",
    title: "The member is not known",
    action: "Remove the member, or correct its name.",
  },
  misspelt_member: {
    fault: "submitter",
    title: "The member’s name resembles the name of a known member",
    action: "Use the name in the detail. Where custom members are allowed, use a less similar name.",
  },
  duplicate_member: {
    fault: "submitter",
    title: "The member was sent more than once",
    action: "Send the member once.",
  },
  more_errors: {
    fault: "submitter",
    title: "More errors were found than are listed",
    action: "Correct the listed members and send the request again.",
  },
  unknown_parameter: {
    fault: "submitter",
    title: "The query parameter is not known",
    action: "Use a name from the detail, or remove the parameter.",
  },
  creator_required: {
    fault: "submitter",
    title: "No author has the role Creator",
    action: "Give at least one author the role “Creator”.",
  },
  creator_name_required: {
    fault: "submitter",
    title: "A creator has no name",
    action: "Give every creator a first or a last name.",
  },
  orcid_invalid: {
    fault: "submitter",
    title: "The ORCID iD is not valid",
    action: "Copy the 16 characters from orcid.org. The last character is a check digit.",
  },
  embargo_date_invalid: { fault: "submitter", title: "The date is not valid", action: "Write the date as YYYY-MM-DD." },
  language_unknown: {
    fault: "submitter",
    title: "The language is not known",
    action: "Use a BCP 47 or ISO 639 code such as “en”, or the language’s English name.",
  },
  endpoint_invalid: {
    fault: "submitter",
    title: "The endpoint is not a valid server address",
    action: "Enter the address of the S3 server, such as https://s3.example.org.",
  },
  region_invalid: {
    fault: "submitter",
    title: "The region name is not valid",
    action: "Leave the region empty to detect it automatically.",
  },
  bucket_name_invalid: {
    fault: "submitter",
    title: "The bucket name is not valid",
    action: "Enter only the bucket name, without scheme, host or path.",
  },
  access_key_invalid: {
    fault: "submitter",
    title: "The access key is not valid",
    action: "Copy the access key again, without spaces or line breaks.",
  },
  secret_key_invalid: {
    fault: "submitter",
    title: "The secret key is not valid",
    action: "Copy the secret key again, without spaces or line breaks.",
  },
  session_token_invalid: {
    fault: "submitter",
    title: "The session token is not valid",
    action: "Copy the session token again, or remove it.",
  },
  keys_not_wanted: {
    fault: "submitter",
    title: "Credentials were sent although “anonymous” is true",
    action: "Remove the keys, or remove “anonymous”.",
  },
  prefix_invalid: {
    fault: "submitter",
    title: "The prefix is not valid",
    action: "Enter the beginning of the object keys, at most 1,024 bytes.",
  },
  pattern_invalid: {
    fault: "submitter",
    title: "The pattern is not valid",
    action:
      "Use * and ? within a folder and ** across folders. Write a backslash before *, ? or a backslash that is part of a name.",
  },
  idempotency_key_invalid: {
    fault: "submitter",
    title: "The Idempotency-Key is not valid",
    action: "Send 1 to 255 printable ASCII characters.",
  },
  not_unreadable: {
    fault: "submitter",
    title: "The object is not listed as unreadable",
    action: "Exclude only objects that the submission lists as unreadable.",
  },
  nothing_left: {
    fault: "submitter",
    title: "No objects would remain to archive",
    action: "Cancel the submission, or fix the objects and retry.",
  },
} as const satisfies Record<string, ProblemEntry>;
