import { type Static, Type } from "typebox";
import { PUBLICATION_QUEUES } from "../../../../packages/rules/src/index.ts";
import {
  listPublications,
  PUBLICATION_SORTS,
  type PublicationListRow,
  type PublicationPosition,
  publicationPosition,
} from "../../../db/publication/list.ts";
import { Problem } from "../../../domain/problems.ts";
import { shortText } from "../../../domain/submission/summary.ts";
import { lastFound } from "../../../publication/rules/checks.ts";
import { isOverdue } from "../../../publication/rules/due-reminder.ts";
import { isDelayed } from "../../../publication/rules/publication.ts";
import { PUBLICATION_STATES } from "../../../publication/rules/states.ts";
import type { HttpContext } from "../../context.ts";
import { waitingFor } from "../../dataset/publication-view.ts";
import * as examples from "../../openapi/publication-examples.ts";
import { operation } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { identifierTypeOf } from "../../responses/identifier.ts";
import { invalidCursor, ownerOf, pageAnswer, pageOf, paging } from "../../responses/paging.ts";
import { optionalText } from "../../schemas/basics.ts";
import { PublicationListEntry } from "../../schemas/publication.ts";

const PAGE = 50;
/** All collections of a curator. */
const MOST_COLLECTIONS = 200;
const LONGEST_TITLE = 300;
const DAY_MS = 86_400_000;
const LONGEST_WAITING_FIRST = "since";

/** Sort order, dataset and version of the last entry, and its value in that order. */
const CURSOR = /^(-?[a-z]+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (\d{1,9}) (.*)$/s;

/** Lists publications: the curators' queue, or the requests of an owner. */
export const publicationList = operation({
  route: "GET /publication",
  operationId: "listPublications",
  summary: "List publications",
  description:
    "Returns the publications that the caller may see, by default those first that have waited longest in their state. Curators see those of all owners.",
  tag: "Publication",
  querystring: Type.Object({
    queue: Type.Optional(
      Type.Enum(PUBLICATION_QUEUES, {
        description:
          "`new` (in review without a curator, or assigned to an account that is no longer a curator), `mine` (assigned to the caller), `author` (waiting for the owner’s changes), `approved` (approved, not published), `access` (somebody has asked for access and has no answer) or `failing` (the registration of the DOI, a change of its metadata, or the note of a withdrawal is delayed).",
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
    collection: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: MOST_COLLECTIONS,
        description:
          "Only datasets that belong to one of these collections, or whose owners ask for one of them in their last request. Repeat the parameter for several collections.",
        examples: [["barley"]],
      }),
    ),
    q: optionalText({
      maxLength: 1_000,
      description:
        "Search text: a part of the title, of the owner’s name or of a DOI, the id of a dataset, or the beginnings of words that all occur in the metadata. Case and diacritics are ignored.",
      examples: ["moisture"],
    }),
    sort: Type.Optional(
      Type.Enum([...PUBLICATION_SORTS], {
        description:
          "Sort order: time of the last change of state (`since`) or `title`. A leading `-` reverses the order, so that the newest come first.",
        default: LONGEST_WAITING_FIRST,
        examples: ["-since"],
      }),
    ),
    ...paging(PAGE),
  }),
  response: pageAnswer(PublicationListEntry, "publications", examples.publicationEntry),
  handler: async (context, request, reply) => {
    const { queue, state, owner, collection, q, sort = LONGEST_WAITING_FIRST, limit = PAGE, cursor } = request.query;
    const rows = await listPublications(context.db, context.signIn.method, {
      owner: ownerOf(request, owner),
      state,
      queue,
      account: callerOf(request).owner,
      collections: collection,
      q: q?.trim() === "" ? undefined : q,
      sort,
      limit: limit + 1,
      after: cursor === undefined ? undefined : readCursor(cursor),
    });
    if (rows === undefined) {
      throw new Problem("bad_request", "The cursor does not belong to a list with this sort order");
    }
    const now = new Date();
    const views = rows.map((row) => viewEntry(context, row, now));
    const cursorOf = (row: PublicationListRow) => writeCursor(publicationPosition(row, sort));
    return pageOf(context, request, reply, { rows, views, limit, cursor: cursorOf });
  },
});

function viewEntry(
  { publication: { reminderDays } }: HttpContext,
  row: PublicationListRow,
  now: Date,
): Static<typeof PublicationListEntry> {
  const { dataset_id: dataset, version, owner, state, since, assignee, identifier, access, problem } = row;
  return {
    ...{ dataset, version, owner, state, assignee, identifier, access, problem },
    assigneeIsCurator: row.assignee_is_curator,
    embargoDate: row.embargo_date,
    comments: { total: row.comments_total, resolved: row.comments_resolved },
    isOverdue: isOverdue(row, reminderDays * DAY_MS, now),
    checks: lastFound(state, row),
    accessRequests: row.access_requests,
    lastCommentAt: row.last_comment_at?.toISOString() ?? null,
    identifierType: identifierTypeOf(identifier),
    title: shortText(row.title, LONGEST_TITLE),
    since: since.toISOString(),
    waitingFor: waitingFor(row, now),
    isDelayed: isDelayed(problem, now),
  };
}

function writeCursor({ sort, dataset, version, place }: PublicationPosition): string {
  return Buffer.from(`${sort} ${dataset} ${version} ${place}`).toString("base64url");
}

/** @throws Problem `bad_request` */
function readCursor(cursor: string): PublicationPosition {
  const text = Buffer.from(cursor, "base64url").toString("utf8");
  const [, by, dataset = "", version, place = ""] = CURSOR.exec(text) ?? [];
  const sort = PUBLICATION_SORTS.find((one) => one === by);
  if (sort === undefined) throw invalidCursor();
  return { sort, dataset, version: Number(version), place };
}
