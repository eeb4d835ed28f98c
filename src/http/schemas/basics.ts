import { type TSchema, Type } from "typebox";
import { ROLES } from "../../auth/rules.ts";
import { type Code, catalogue } from "../../domain/problems.ts";

export const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const time = (description: string) => Type.String({ format: "date-time", description });

export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const ProblemCode = Type.Enum(Object.keys(catalogue) as Code[], {
  title: "ProblemCode",
  description:
    "Stable code; docs/errors.md says of each whose turn it is and what to do. There can be more in a later version.",
});

export const Fault = Type.Enum(["submitter", "source", "service", "operator"], {
  title: "Fault",
  description: "Whose turn it is: the submitter’s, that of whoever runs the source, the service’s own, the operator’s.",
});

export const Remark = Type.Object(
  {
    pointer: Type.String({ description: "JSON pointer (RFC 6901) into the request." }),
    code: ProblemCode,
    detail: Type.String({ description: "For people." }),
  },
  { title: "Remark", description: "A fault or a warning about one place of a request." },
);

export const Role = Type.Enum([...ROLES], {
  title: "Role",
  description: "What a caller may do; docs/access.md has the table.",
});

export const TokenView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the token, not the token itself." }),
    name: Type.String({ description: "The owner for whom its holder acts." }),
    role: Role,
    createdAt: time("When it was created."),
    expiresAt: nullable(Type.String({ format: "date-time" }), "When it stops being valid; null for never."),
    lastUsedAt: nullable(Type.String({ format: "date-time" }), "When it was last used, to the hour."),
  },
  { title: "Token", description: "What is known of a token; never the token itself." },
);
