import { Type } from "typebox";
import { forgetCurator, knownCurators } from "../../../db/publication/curators.ts";
import { documented, operation } from "../../operation.ts";
import { notFound } from "../../requests/require-resource.ts";
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

/** Removes a curator whom the service knows from a sign-in with the identity provider. */
export const curatorRemove = operation({
  route: "DELETE /curator",
  operationId: "removeCurator",
  summary: "Remove a known curator",
  description:
    "Removes an account of an identity provider from the known curators, for example because the provider has deleted it: the service does not learn of that. Reviews that are assigned to it return to the queue `new`. If the account signs in again with the role, it is known again. Answers 404 for accounts that are not known, and for those with a token of this service: revoke the token instead. For admins.",
  tag: "Publication",
  querystring: Type.Object({
    owner: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Account name, as in the list of known curators.",
      examples: ["https://sso.example.org/realms/research#josiah"],
    }),
  }),
  problems: ["not_found"],
  response: { 204: Type.Null({ description: "The account is no longer a known curator." }) },
  handler: async (context, request) => {
    const { owner } = request.query;
    if (!(await forgetCurator(context.db, owner))) throw notFound("curator", owner);
    request.log.info({ owner }, "a curator was removed");
    return null;
  },
});
