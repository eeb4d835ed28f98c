import type { ProblemEntry } from "./entry.ts";

/** Faults of single members of a request. */
export const members = {
  required: { fault: "submitter", title: "A required member is missing", action: "Add it." },
  wrong_type: {
    fault: "submitter",
    title: "The value has the wrong type",
    action: "Send the type named in the detail.",
  },
  wrong_value: {
    fault: "submitter",
    title: "The value is not one of those allowed",
    action: "Send one of the values named in the detail.",
  },
  too_long: { fault: "submitter", title: "The value is too long", action: "Shorten it." },
  metadata_too_large: {
    fault: "submitter",
    title: "The metadata are too large",
    action: "Shorten the longest texts, or put details into a file of the dataset.",
  },
  too_short: { fault: "submitter", title: "The value is too short", action: "Say more." },
  unknown_member: { fault: "submitter", title: "This member is not known", action: "Leave it out." },
  misspelt_member: {
    fault: "submitter",
    title: "The name of this member is close to a known one",
    action: "Use the name in the detail. If you mean something else, choose a name that differs more.",
  },
  duplicate_member: {
    fault: "submitter",
    title: "This member was sent more than once",
    action: "Send it once.",
  },
  more_errors: {
    fault: "submitter",
    title: "There are more faults than are listed",
    action: "Correct the listed members and send the request again.",
  },
  unknown_parameter: {
    fault: "submitter",
    title: "This query parameter is not known",
    action: "Use one of the names in the detail, or leave the parameter out.",
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
    title: "This is not an ORCID iD",
    action: "Copy the 16 digits from orcid.org; the last one is a check digit.",
  },
  embargo_date_invalid: { fault: "submitter", title: "This is not a date", action: "Write the date as YYYY-MM-DD." },
  language_unknown: {
    fault: "submitter",
    title: "This language is not known",
    action: "Use a BCP 47 or ISO 639 code such as “en”, or the language’s English name.",
  },
  endpoint_invalid: {
    fault: "submitter",
    title: "This is not the address of an S3 endpoint",
    action: "Give the server’s address, such as https://s3.example.org.",
  },
  region_invalid: {
    fault: "submitter",
    title: "This is not a region name",
    action: "Leave the region empty; it is found out from the server.",
  },
  bucket_name_invalid: {
    fault: "submitter",
    title: "This is not a bucket name",
    action: "Give the bucket’s bare name, without scheme, host or path.",
  },
  access_key_invalid: {
    fault: "submitter",
    title: "This is not an access key",
    action: "Copy the access key again, without spaces or line breaks.",
  },
  secret_key_invalid: {
    fault: "submitter",
    title: "This is not a secret key",
    action: "Copy the secret key again, without spaces or line breaks.",
  },
  session_token_invalid: {
    fault: "submitter",
    title: "This is not a session token",
    action: "Copy the session token again, or leave it out.",
  },
  keys_not_wanted: {
    fault: "submitter",
    title: "Keys were sent although “anonymous” is true",
    action: "Leave the keys out, or leave “anonymous” out.",
  },
  prefix_invalid: {
    fault: "submitter",
    title: "This prefix cannot be used",
    action: "Give the beginning of the keys, at most 1,024 bytes.",
  },
  pattern_invalid: {
    fault: "submitter",
    title: "This pattern cannot be used",
    action: "Use * and ? within a folder, ** over folders, and a backslash before one of them that is meant as it is.",
  },
  idempotency_key_invalid: {
    fault: "submitter",
    title: "This Idempotency-Key cannot be used",
    action: "Send 1 to 255 printable ASCII characters.",
  },
  not_unreadable: {
    fault: "submitter",
    title: "This key is not one of the unreadable objects",
    action: "Exclude only keys that the submission names as unreadable.",
  },
  nothing_left: {
    fault: "submitter",
    title: "Nothing would be left to archive",
    action: "Cancel the submission, or mend the objects and retry.",
  },
} as const satisfies Record<string, ProblemEntry>;
