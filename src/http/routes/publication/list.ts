import { type Static, Type } from "typebox";
import { PUBLICATION_QUEUES, type PublicationQueue } from "../../../../packages/rules/src/index.ts";
import { listPublications, type PublicationFilter, type PublicationListRow } from "../../../db/publication/list.ts";
import { shortText } from "../../../domain/submission/summary.ts";
import { PUBLICATION_STATES } from "../../../publication/rules/states.ts";
import { waitingFor } from "../../dataset/publication-view.ts";
import * as examples from "../../openapi/publication-examples.ts";
import { operation } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { identifierTypeOf } from "../../responses/identifier.ts";
import { ownerOf, pageAnswer, pageOf, paging, readCursor, writeCursor } from "../../responses/paging.ts";
import { optionalText } from "../../schemas/basics.ts";
import { PublicationListEntry } from "../../schemas/publication.ts";

const PAGE = 50;
const LONGEST_TITLE = 300;

/** Named parts of the curators' queue. */
const QUEUES = {
  new: { states: ["in_review"], assignee: null },
  mine: { states: ["in_review", "changes_requested", "approved"] },
  author: { states: ["changes_requested"] },
  approved: { states: ["approved"] },
  failing: { states: PUBLICATION_STATES, isDelayed: true },
} as const satisfies Record<PublicationQueue, Partial<PublicationFilter>>;

/** Lists publications: the curators' queue, or the requests of an owner. */
export const publicationList = operation({
  route: "GET /publication",
  operationId: "listPublications",
  summary: "List publications",
  description:
    "Returns the publications that the caller may see, those that have waited longest in their state first. Curators see those of all owners.",
  tag: "Publication",
  querystring: Type.Object({
    queue: Type.Optional(
      Type.Enum(PUBLICATION_QUEUES, {
        description:
          "`new` (in review without a curator), `mine` (assigned to the caller), `author` (waiting for the owner’s changes), `approved` (approved, not published) or `failing` (the registration of the DOI, a change of its metadata, or the note of a withdrawal is delayed).",
        examples: ["new"],
      }),
    ),
    state: Type.Optional(
      Type.Enum([...PUBLICATION_STATES], { description: "Only entries in this state.", examples: ["in_review"] }),
    ),
    owner: optionalText({
      maxLength: 2_000,
      description: "Only entries of this owner. For curators and admins.",
      examples: ["josiah"],
    }),
    ...paging(PAGE),
  }),
  response: pageAnswer(PublicationListEntry, "publications", examples.publicationEntry),
  handler: async (context, request, reply) => {
    const { queue, state, owner, limit = PAGE, cursor } = request.query;
    const chosen: Partial<PublicationFilter> = queue === undefined ? {} : QUEUES[queue];
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const rows = await listPublications(context.db, {
      owner: ownerOf(request, owner),
      states: state === undefined ? chosen.states : [state],
      assignee: queue === "mine" ? callerOf(request).owner : chosen.assignee,
      isDelayed: chosen.isDelayed ?? false,
      limit: limit + 1,
      after: after && { since: after.createdAt, dataset: after.id, version: after.event },
    });
    const cursorOf = ({ since: created_at, version: event, dataset_id: id }: PublicationListRow) =>
      writeCursor({ created_at, event, id });
    return pageOf(context, request, reply, { rows, views: rows.map(viewEntry), limit, cursor: cursorOf });
  },
});

function viewEntry(row: PublicationListRow): Static<typeof PublicationListEntry> {
  const { dataset_id: dataset, version, owner, state, since, assignee, identifier, access, problem } = row;
  return {
    ...{ dataset, version, owner, state, assignee, identifier, access, problem },
    identifierType: identifierTypeOf(identifier),
    title: shortText(row.title, LONGEST_TITLE),
    since: since.toISOString(),
    waitingFor: waitingFor(row),
  };
}
