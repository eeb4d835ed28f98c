import { Type } from "typebox";
import { ACCESS_REQUEST_STATES, GRANT_KINDS } from "../../publication/rules/grants.ts";
import { nullable, time } from "./basics.ts";

export const GrantKindName = Type.Enum([...GRANT_KINDS], {
  title: "AccessGrantKind",
  description:
    "`subject` (an account: the owner name, or the subject at the identity provider), `email` (the account whose address the identity provider has verified) or `link` (all who have the link).",
});

export const AccessGrantView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the grant." }),
    dataset: Type.String({ format: "uuid", description: "Id of the dataset." }),
    version: nullable(Type.Integer({ minimum: 1 }), "Version whose files it opens; null for all published versions."),
    kind: GrantKindName,
    person: nullable(Type.String(), "Owner name or e-mail address; null for a link."),
    note: Type.String({ description: "What the grant is for; can be empty." }),
    grantedBy: Type.String({ description: "Who granted it." }),
    createdAt: time("Time of the grant."),
    expiresAt: nullable(Type.String({ format: "date-time" }), "Time at which it ends; null if it does not."),
    revokedAt: nullable(Type.String({ format: "date-time" }), "Time at which it was revoked; null if it was not."),
    revokedBy: nullable(Type.String(), "Who revoked it."),
    usedAt: nullable(Type.String({ format: "date-time" }), "Time of the last use, accurate to the minute."),
    inForce: Type.Boolean({ description: "Whether it opens files now." }),
  },
  { title: "AccessGrant", description: "Access to the closed files of a published dataset." },
);

export const NewAccessGrantView = Type.Object(
  {
    ...AccessGrantView.properties,
    secret: nullable(
      Type.String(),
      "Secret of a link, to be sent as `Authorization: Bearer`. It is returned only once. Null for people.",
    ),
    url: nullable(Type.String(), "Address of the link for people, with the secret behind `#`. Null for people."),
  },
  { title: "NewAccessGrant", description: "A grant, with the secret of its link." },
);

export const AccessRequestView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the request." }),
    dataset: Type.String({ format: "uuid", description: "Id of the dataset." }),
    version: Type.Integer({ minimum: 1, description: "Number of the version." }),
    account: nullable(Type.String(), "Owner name of the person; null without a token."),
    name: nullable(Type.String(), "Name that the person has stated."),
    email: nullable(Type.String(), "E-mail address of the person."),
    emailVerified: Type.Boolean({
      description: "Whether the identity provider has verified the address. Otherwise the person has only stated it.",
    }),
    reason: Type.String({ description: "What the person needs the files for." }),
    createdAt: time("Time of the request."),
    state: Type.Enum([...ACCESS_REQUEST_STATES], { description: "Whether the request was answered, and how." }),
    decidedBy: nullable(Type.String(), "Who answered; null for the person who asked."),
    decidedAt: nullable(Type.String({ format: "date-time" }), "Time of the answer."),
    answer: Type.String({ description: "Answer to the person; can be empty." }),
    grant: nullable(Type.String({ format: "uuid" }), "Id of the grant; null for the person who asked."),
  },
  { title: "AccessRequest", description: "A request for access to closed files." },
);
