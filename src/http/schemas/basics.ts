import {
  type TNumberOptions,
  type TProperties,
  type TSchema,
  type TSchemaOptions,
  type TStringOptions,
  Type,
} from "typebox";
import { VOCABULARY_KINDS } from "../../describe/vocabulary/vocabulary.ts";
import { type Code, catalogue } from "../../domain/problems.ts";
import { object, text } from "../../domain/schema-parts.ts";
import { ROLES } from "../../people/route-permissions.ts";

export { list, object, text } from "../../domain/schema-parts.ts";

/** Forms of members that most schemas have. Each takes the description, or the options of its type. */

export const uuid = (description: string) => Type.String({ format: "uuid", description });
export const time = (description: string) => Type.String({ format: "date-time", description });
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const flag = (description: string) => Type.Boolean({ description });

export const nullable = <Own extends TSchema>(schema: Own, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
export const textOrNull = (description: string) => nullable(Type.String(), description);
export const timeOrNull = (description: string) => nullable(Type.String({ format: "date-time" }), description);

export const optionalText = (options: TStringOptions) => Type.Optional(Type.String(options));
export const optionalInteger = (options: TNumberOptions) => Type.Optional(Type.Integer(options));
export const optionalFlag = (options: TSchemaOptions) => Type.Optional(Type.Boolean(options));

/** An object that callers send: other members are an error. */
export const closedObject = <Members extends TProperties>(title: string, description: string, members: Members) =>
  Type.Object(members, { title, description, additionalProperties: false });

export const IdentifierType = Type.Enum(["DOI", "URN"], {
  title: "IdentifierType",
  description: "Type of the identifier.",
});

const identifierText =
  "the DOI as URL if it is or was published under one, otherwise `urn:uuid:` and the id of the dataset.";

/** The members `identifier` and `identifierType`. @param subject what they identify */
export const identifierMembers = (subject: string) => ({
  identifier: text(`Persistent identifier of ${subject}: ${identifierText}`),
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

export const Remark = object("Remark", "An error or a warning about one member of a request.", {
  pointer: text("JSON Pointer (RFC 6901) to the member of the request."),
  code: ProblemCode,
  detail: text("Human-readable explanation."),
});

export const Role = Type.Enum([...ROLES], {
  title: "Role",
  description: "Role of a caller. docs/access.md lists the permissions of each role.",
});

export const TokenView = object("Token", "A token without its secret text.", {
  id: uuid("Id of the token, not the token itself."),
  name: text("Owner name under which the holder acts."),
  role: Role,
  createdAt: time("Time at which the token was created."),
  expiresAt: timeOrNull("Time at which the token expires; null if it does not."),
  lastUsedAt: timeOrNull("Time of the last use, accurate to the hour; null if unused."),
});

export const VocabularyKind = Type.Enum([...VOCABULARY_KINDS], {
  title: "VocabularyKind",
  description: "What the entries of a vocabulary describe.",
});
