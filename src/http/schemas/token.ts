import { Type } from "typebox";
import { ROLES } from "../../auth/caller.ts";
import { nullable, time } from "./basics.ts";

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
