import type { ProblemEntry } from "./entry.ts";

/** Faults of single members of a request. */
export const members = {
  required: { title: "A required field is missing", action: "Complete the field." },
  wrong_type: { title: "The value has the wrong type", action: "Send a value of the type that the message names." },
  wrong_value: { title: "The value is not allowed", action: "Use a value that the message names." },
  too_long: { title: "The value is too long", action: "Shorten the value." },
  metadata_too_large: {
    title: "The metadata is too large",
    action: "Shorten the longest texts, or move details to a file of the dataset.",
  },
  metadata_file_invalid: {
    title: "A metadata file of the dataset cannot be read",
    action: "Correct the file, or enter the values in the form.",
  },
  import_busy: {
    fault: "service",
    title: "The service reads too many metadata files at the moment",
    action: "Try again in a minute, or enter the values in the form.",
  },
  metadata_file_unknown: {
    title: "The file is not a known metadata file",
    action:
      "Choose a file with one of these names: datacite.json, datacite.xml, ro-crate-metadata.json, CITATION.cff, codemeta.json, i_*.txt, datapackage.json, dataset_description.json, csl.json, README, README.md, README.txt, README.rst.",
  },
  too_short: { title: "The value is too short", action: "Send a longer value." },
  unknown_member: {
    title: "The field is not known",
    action:
      "Remove the field, or correct its name. In “metadata” and “s3Access” this is a warning, elsewhere an error.",
  },
  misspelt_member: {
    title: "The field is not known, but a known field has a similar name or meaning",
    action: "If you mean the field that the message names, use its name. Otherwise choose a name that is less similar.",
  },
  duplicate_member: { title: "The field was sent more than once", action: "Send the field once." },
  more_errors: {
    title: "More errors were found than are listed",
    action: "Correct the listed fields and send the request again.",
  },
  unknown_parameter: {
    title: "The query parameter is not known",
    action: "Use a name that the message lists, or remove the parameter.",
  },
  creator_required: {
    title: "No author has the role Creator",
    action: "Give at least one author the role “Creator”.",
  },
  creator_name_required: { title: "A creator has no name", action: "Give every creator a first or a last name." },
  orcid_invalid: {
    title: "The ORCID iD is not valid",
    action: "Copy the iD from orcid.org. It has 16 digits, and the last one can be X: 0000-0002-1825-0097.",
  },
  ror_invalid: { title: "The ROR id is not valid", action: "Copy the id again from ror.org, or remove it." },
  term_unknown: { title: "The value is not in the list", action: "Use a value that the message names." },
  identifier_invalid: {
    title: "The identifier is not valid",
    action: "Copy the identifier again, and check its type.",
  },
  address_invalid: {
    title: "The web address is not valid",
    action: "Copy the complete address, such as https://example.org/page.",
  },
  mail_address_invalid: {
    title: "The mail address is not valid",
    action: "Enter one address, such as data@example.org.",
  },
  date_invalid: {
    title: "The date is not valid",
    action: "Write a date as YYYY, YYYY-MM or YYYY-MM-DD, and a range with a slash: 2024-05/2024-07.",
  },
  coordinate_invalid: {
    title: "The coordinate is not valid",
    action: "Write degrees of WGS 84 as a decimal number: 51.8267 (north), -11.28 (west).",
  },
  embargo_date_invalid: { title: "The date is not valid", action: "Write the date as YYYY-MM-DD." },
  field_group_unknown: {
    title: "The group of fields is not known",
    action: "Use a group that GET /field-groups lists, or remove the group from “fields”.",
  },
  field_unknown: {
    title: "The group has no such field",
    action: "Use a field that GET /field-groups lists, or remove it.",
  },
  language_unknown: {
    title: "The language is not known",
    action: "Use a language code such as “en” (BCP 47 or ISO 639), or the English name of the language.",
  },
  endpoint_invalid: {
    title: "The endpoint is not a valid server address",
    action: "Enter the address of the S3 server, such as https://s3.example.org.",
  },
  region_invalid: {
    title: "The region name is not valid",
    action: "Leave the region empty to detect it automatically.",
  },
  bucket_name_invalid: {
    title: "The bucket name is not valid",
    action: "Enter only the bucket name, without scheme, host or path.",
  },
  access_key_invalid: {
    title: "The access key is not valid",
    action: "Copy the access key again, without spaces or line breaks.",
  },
  secret_key_invalid: {
    title: "The secret key is not valid",
    action: "Copy the secret key again, without spaces or line breaks.",
  },
  session_token_invalid: {
    title: "The session token is not valid",
    action: "Copy the session token again, or remove it.",
  },
  keys_not_wanted: {
    title: "Credentials were sent that the access does not use",
    action: "Remove the credentials, or “anonymous” and “roleArn”.",
  },
  role_invalid: {
    title: "The ARN of the role is not valid",
    action: "Copy the ARN of the role again. It has the form arn:aws:iam::123456789012:role/NAME.",
  },
  requester_unknown: {
    title: "Requester pays was chosen for access without credentials",
    action: "Provide an access key and a secret key of the account that pays, or remove “requesterPays”.",
  },
  prefix_invalid: {
    title: "The prefix is not valid",
    action:
      "Enter the beginning of the object keys, at most 1,024 bytes. Characters such as ä have more than one byte.",
  },
  pattern_invalid: {
    title: "The pattern is not valid",
    action:
      "Use * and ? within a folder and ** across folders. If *, ? or a backslash is part of a name, write a backslash before it.",
  },
  idempotency_key_invalid: {
    title: "The Idempotency-Key is not valid",
    action: "Send 1 to 255 printable ASCII characters.",
  },
  not_unreadable: {
    title: "Only unreadable objects can be excluded",
    action: "Check the object key. The submission lists its unreadable objects.",
  },
  nothing_left: {
    title: "You cannot exclude all objects",
    action: "Cancel the submission, or fix the objects and retry.",
  },
} as const satisfies Record<string, ProblemEntry>;
