import { Type } from "typebox";
import { knownCurators } from "../../../db/publication/curators.ts";
import { documented, operation } from "../../operation.ts";
import { object, text } from "../../schemas/basics.ts";

const CuratorView = object("Curator", "An account that can review datasets.", {
  owner: text("Account name, as in `curator` of an assignment."),
  assigned: Type.Integer({ minimum: 0, description: "Number of open reviews that are assigned to the curator." }),
});

/** Lists the curators that the service knows, for an assignment. */
export const curatorList = operation({
  route: "GET /curator",
  operationId: "listCurators",
  summary: "List known curators",
  description:
    "Returns the accounts that can review datasets, by name: those with a valid token of a curator or admin, or, with an identity provider, those that had one of these roles when they last signed in. Reviews can be assigned to these accounts only. For curators and admins.",
  tag: "Publication",
  response: {
    200: documented(Type.Array(CuratorView), {
      description: "The known curators.",
      example: [{ owner: "josiah", assigned: 2 }],
    }),
  },
  handler: async (context) => knownCurators(context.db, context.signIn.method),
});
