import { type TSchema, Type } from "typebox";
import { VOCABULARY_KINDS } from "../../describe/vocabulary/vocabulary.ts";
import { type Code, catalogue } from "../../domain/problems.ts";
import { ROLES } from "../../people/rules.ts";

export const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const time = (description: string) => Type.String({ format: "date-time", description });

export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const IdentifierType = Type.Enum(["DOI", "URN"], {
  title: "IdentifierType",
  description: "Type of the identifier.",
});

const identifierText =
  "the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset.";

/** The members `identifier` and `identifierType`. @param subject what they identify */
export const identifierMembers = (subject: string) => ({
  identifier: Type.String({ description: `Persistent identifier of ${subject}: ${identifierText}` }),
  identifierType: IdentifierType,
});

export const ProblemCode = Type.Enum(Object.keys(catalogue) as Code[], {
  title: "ProblemCode",
  description:
    "Stable error code. docs/errors.md lists who must act and how to fix each problem. Later versions can add codes.",
});

export const Fault = Type.Enum(["submitter", "source", "service", "operator"], {
  title: "Fault",
  description:
    "Who must act: `submitter`, `source` (the storage provider), `service` (the service retries automatically) or `operator`.",
});

export const Remark = Type.Object(
  {
    pointer: Type.String({ description: "JSON Pointer (RFC 6901) to the member of the request." }),
    code: ProblemCode,
    detail: Type.String({ description: "Human-readable explanation." }),
  },
  { title: "Remark", description: "An error or a warning about one member of a request." },
);

export const Role = Type.Enum([...ROLES], {
  title: "Role",
  description: "Role of a caller. docs/access.md lists the permissions of each role.",
});

export const TokenView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the token, not the token itself." }),
    name: Type.String({ description: "Owner name under which the holder acts." }),
    role: Role,
    createdAt: time("Time at which the token was created."),
    expiresAt: nullable(Type.String({ format: "date-time" }), "Time at which the token expires; null if it does not."),
    lastUsedAt: nullable(
      Type.String({ format: "date-time" }),
      "Time of the last use, accurate to the hour; null if unused.",
    ),
  },
  { title: "Token", description: "A token without its secret text." },
);

export const VocabularyKind = Type.Enum([...VOCABULARY_KINDS], {
  title: "VocabularyKind",
  description: "What the entries of a vocabulary describe.",
});
