import { countQueues } from "../../../db/publication/queues.ts";
import { documented, operation } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { ownerOf } from "../../responses/paging.ts";
import { count, object } from "../../schemas/basics.ts";

const MEANINGS = {
  new: "In review without a curator, or assigned to an account that is no longer a curator.",
  mine: "Assigned to the caller.",
  author: "Waiting for the owner’s changes.",
  approved: "Approved, not published.",
  access: "Published with closed files, and with requests for access that nobody has answered.",
  failing: "Delayed at DataCite.",
};

const QueueCounts = object("QueueCounts", "The number of publications in each part of the queue.", {
  new: count(MEANINGS.new),
  mine: count(MEANINGS.mine),
  author: count(MEANINGS.author),
  approved: count(MEANINGS.approved),
  access: count(MEANINGS.access),
  failing: count(MEANINGS.failing),
  reviewing: count("Assigned to the caller, and in review."),
  own: object("OwnQueueCounts", "The numbers of the datasets of the caller.", {
    author: count(MEANINGS.author),
    approved: count(MEANINGS.approved),
    access: count(MEANINGS.access),
  }),
});

/** Counts what waits for the caller, without reading the lists. */
export const queueCounts = operation({
  route: "GET /publication-queue",
  operationId: "countQueues",
  summary: "Count what waits for an action",
  description:
    "Returns how many publications the parts of `GET /publication` have: for curators those of all owners, for others their own.",
  tag: "Publication",
  response: {
    200: documented(QueueCounts, {
      description: "The counts.",
      example: {
        ...{ new: 2, mine: 1, author: 0, approved: 0, access: 1, failing: 0, reviewing: 1 },
        own: { author: 0, approved: 0, access: 0 },
      },
    }),
  },
  handler: async (context, request) => {
    const viewer = { method: context.signIn.method, account: callerOf(request).owner };
    return countQueues(context.db, viewer, ownerOf(request, undefined));
  },
});
