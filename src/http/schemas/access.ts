import { Type } from "typebox";
import { ACCESS_REQUEST_STATES, GRANT_KINDS, GRANT_USE_KINDS, MOST_READ } from "../../publication/rules/grants.ts";
import { count, flag, nullable, object, text, textOrNull, time, timeOrNull, uuid } from "./basics.ts";

export const GrantKindName = Type.Enum([...GRANT_KINDS], {
  title: "AccessGrantKind",
  description:
    "`subject` (an account: the owner name, or the subject at the identity provider), `email` (the account whose address the identity provider has verified) or `link` (all who have the link).",
});

export const AccessGrantView = object("AccessGrant", "Access to the closed files of a published dataset.", {
  id: uuid("Id of the grant."),
  dataset: uuid("Id of the dataset."),
  version: nullable(Type.Integer({ minimum: 1 }), "Version whose files it opens; null for all published versions."),
  kind: GrantKindName,
  person: textOrNull("Owner name or e-mail address; null for a link."),
  note: text("What the grant is for; can be empty."),
  grantedBy: text("Who granted it."),
  createdAt: time("Time of the grant."),
  expiresAt: timeOrNull("Time at which it ends; null if it does not."),
  revokedAt: timeOrNull("Time at which it was revoked; null if it was not."),
  revokedBy: textOrNull("Who revoked it."),
  uses: count("How often it was used: the sum over what was read (`listAccessGrantUses`)."),
  firstUsedAt: timeOrNull("Time of the first use; null before it."),
  usedAt: timeOrNull("Time of the last use; null before the first."),
  inForce: flag("Whether it opens files now."),
});

export const AccessGrantUseView = object(
  "AccessGrantUse",
  "What was read with a grant. It does not say by whom, or from where.",
  {
    kind: Type.Enum([...GRANT_USE_KINDS], {
      description: `\`file\`, \`folder\` (as a ZIP archive), \`package\` (all files as a ZIP archive), \`view\` (a list of files or a description, without files) or \`other\` (files and folders after the first ${MOST_READ.toLocaleString("en")} of a grant, counted together).`,
    }),
    path: textOrNull("Path of the file or folder; null for the other kinds."),
    version: Type.Integer({ minimum: 1, description: "Number of the version." }),
    uses: count(
      "How often it was read. Requests for the same that follow each other within 30 seconds, such as the parts of a download, count once.",
    ),
    firstUsedAt: time("Time of the first request."),
    lastUsedAt: time("Time of the last request."),
  },
);

export const NewAccessGrantView = object("NewAccessGrant", "A grant, with the secret of its link.", {
  ...AccessGrantView.properties,
  secret: textOrNull(
    "Secret of a link, to be sent as `Authorization: Bearer`. It is returned only once. Null for people.",
  ),
  url: textOrNull("Address of the link for people, with the secret behind `#`. Null for people."),
});

export const AccessRequestView = object("AccessRequest", "A request for access to closed files.", {
  id: uuid("Id of the request."),
  dataset: uuid("Id of the dataset."),
  version: Type.Integer({ minimum: 1, description: "Number of the version." }),
  account: textOrNull("Owner name of the person; null without a token."),
  name: textOrNull("Name that the person has stated."),
  email: textOrNull("E-mail address of the person."),
  emailVerified: flag(
    "Whether the identity provider has verified the address. Otherwise the person has only stated it.",
  ),
  reason: text("What the person needs the files for."),
  createdAt: time("Time of the request."),
  state: Type.Enum([...ACCESS_REQUEST_STATES], { description: "Whether the request was answered, and how." }),
  decidedBy: textOrNull("Who answered; null for the person who asked."),
  decidedAt: timeOrNull("Time of the answer."),
  answer: text("Answer to the person; can be empty."),
  grant: nullable(Type.String({ format: "uuid" }), "Id of the grant; null for the person who asked."),
});
