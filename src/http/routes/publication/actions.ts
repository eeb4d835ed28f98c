import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import { partiesOf } from "../../../people/caller.ts";
import { applyAction, type Readiness, type SeenState } from "../../../publication/commands/apply-action.ts";
import type { ActionInput } from "../../../publication/commands/inputs.ts";
import { countFound, preventsPublication } from "../../../publication/rules/checks.ts";
import { type Access, contradictsEmbargo } from "../../../publication/rules/stated-embargo.ts";
import { isPossibleIn } from "../../../publication/rules/states.ts";
import type { HttpContext } from "../../context.ts";
import { metadataOf } from "../../dataset/export-input.ts";
import { checksOf } from "../../dataset/publication-checks.ts";
import { publicationTag, taggedPublication } from "../../dataset/publication-tag.ts";
import { maySelfApprove, publicationOf, revisionOf } from "../../dataset/publication-view.ts";
import { requireVersion, type Version, VersionQuery } from "../../dataset/readable-version.ts";
import { publicationTag as tagHeader } from "../../openapi/headers.ts";
import * as examples from "../../openapi/publication-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { tagsOfIfMatch } from "../../requests/preconditions.ts";
import { PublicationView } from "../../schemas/publication.ts";
import { DatasetParams, optionalText } from "../../schemas.ts";
import { ACTIONS } from "./action-list.ts";
import { requireReferences } from "./action-references.ts";

/** One operation for each action about a publication. */
export const publicationActions = ACTIONS.map((route) => {
  const { action, operationId, summary, description } = route;
  const isApproval = action === "approve";
  return operation({
    route: `POST /dataset/:id/publication/${action}`,
    operationId,
    summary,
    description: `${description} With \`If-Match\`, ${isApproval ? "which is mandatory, " : ""}the action fails if the publication or the metadata have changed. A repeated request has no further effect.`,
    tag: "Publication",
    problems: [
      "dataset_withdrawn",
      "publication_off",
      "publication_state",
      "publication_conflict",
      "publication_not_ready",
      ...(isApproval ? (["if_match_required"] as const) : []),
      "self_approval",
      "agreement_required",
      "doi_off",
      "dataset_busy",
    ],
    params: DatasetParams,
    querystring: Type.Object(VersionQuery),
    headers: Type.Object({
      "if-match": optionalText({
        description: "`ETag` of the publication that the caller has seen.",
        examples: [isApproval ? '"p1.1.1"' : "*"],
      }),
    }),
    body: withExample(route.body, route.example as never),
    response: {
      200: documented(PublicationView, {
        description: "The publication after the action.",
        headers: { ETag: tagHeader },
        example: examples.publication,
      }),
    },
    handler: async (context, request, reply) => {
      const { mode } = context.publication;
      if (!isPossibleIn(mode, action)) throw new Problem("publication_off");
      const version = await requireVersion(context, request);
      const caller = callerOf(request);
      const asked = route.read(context, request, request.body);
      const actor = { name: caller.owner, parties: partiesOf(caller, version.dataset.owner) };
      await requireReferences(context, version, actor, asked);
      await applyAction(context.intake, {
        ...asked,
        dataset: version.dataset.id,
        version: version.number,
        actor,
        mode: mode === "off" ? "review" : mode,
        notify: route.notify?.(request.body) ?? caller.email,
        expected: expectation(request, version, isApproval),
        ...(isApproval && { maySelfApprove: maySelfApprove(context, caller) }),
        ...(asked.action === "request" && { ready: await readinessOf(context, version, asked.input) }),
        ...(asked.action === "approve" && { ready: await readinessOf(context, version) }),
        ...(asked.action === "change-access" && { ready: await embargoReadiness(context, version, asked.input) }),
      });
      const { view, tag } = await taggedPublication(context, request, await requireVersion(context, request));
      reply.header("etag", tag);
      return view;
    },
  });
});

const TAGS = { pattern: /^"p\d+\.\d+\.\d+"$/, example: '"p1.2.1"', of: "the publication" };

/**
 * Compares the state with `If-Match`; without the header, every state is accepted. An approval binds what the curator has seen, so that
 * it must name a state.
 *
 * @throws Problem `bad_request`, `if_match_required`
 */
function expectation(
  { headers }: FastifyRequest,
  { number }: Version,
  mustName: boolean,
): (seen: SeenState) => boolean {
  const stated = headers["if-match"];
  const tags = stated === undefined ? ["*"] : tagsOfIfMatch(stated, TAGS);
  const isAny = tags.includes("*");
  if (isAny && mustName) throw new Problem("if_match_required");
  return (seen) => isAny || tags.includes(publicationTag(number, seen));
}

/** Whether an access contradicts the embargo of the metadata. Files can be restricted at any time. */
async function embargoReadiness(context: HttpContext, version: Version, access: Access): Promise<Readiness> {
  const { metadata } = await metadataOf(context, version);
  const today = new Date().toISOString().slice(0, 10);
  const isRefused = access.access !== "restricted" && contradictsEmbargo(access, metadata.embargoDate, today);
  const message = `The metadata state an embargo until ${metadata.embargoDate}. Take the publication back to change it, or restrict the access.`;
  return {
    revision: revisionOf(version),
    problem: isRefused ? new Problem("publication_not_ready", message) : undefined,
  };
}

/**
 * Runs the automatic checks. If one of the findings is an error, the problem lists all of them.
 * @param requested what is being requested; undefined for what is stored
 */
async function readinessOf(
  context: HttpContext,
  version: Version,
  requested?: ActionInput["request"],
): Promise<Readiness> {
  const row = await publicationOf(context, version);
  const asked = requested && {
    ...{ access: requested.access, embargo_date: requested.embargoDate },
    collections: [...(requested.collections ?? [])],
  };
  const checks = await checksOf(context, version, { ...row, ...asked });
  const errors = checks.filter(({ severity }) => severity === "error");
  const message = errors.map((error) => error.message).join(" ");
  return {
    revision: revisionOf(version),
    problem: preventsPublication(checks)
      ? new Problem("publication_not_ready", message, { extra: { checks } })
      : undefined,
    found: countFound(checks),
  };
}
