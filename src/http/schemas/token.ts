import { Type } from "typebox";
import { nullable, time } from "./basics.ts";

export const TokenView = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    name: Type.String({ description: "The owner for whom its holder acts." }),
    role: Type.Enum(["submitter", "curator", "admin"], { title: "Role" }),
    createdAt: time("When it was created."),
    expiresAt: nullable(Type.String({ format: "date-time" }), "When it stops being valid; null for never."),
    lastUsedAt: nullable(Type.String({ format: "date-time" }), "When it was last used, to the hour."),
  },
  { title: "Token", description: "What is known of a token; never the token itself." },
);
