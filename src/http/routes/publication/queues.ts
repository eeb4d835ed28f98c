import { PUBLICATION_QUEUES } from "../../../../packages/rules/src/index.ts";
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
  access: "With requests for access that nobody has answered.",
  failing: "Delayed at DataCite.",
};

const QueueCounts = object(
  "QueueCounts",
  "The number of publications in each part of the queue.",
  Object.fromEntries(PUBLICATION_QUEUES.map((queue) => [queue, count(MEANINGS[queue])])) as Record<
    keyof typeof MEANINGS,
    ReturnType<typeof count>
  >,
);

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
      example: { new: 2, mine: 1, author: 0, approved: 0, access: 1, failing: 0 },
    }),
  },
  handler: async (context, request) => {
    const viewer = { method: context.signIn.method, account: callerOf(request).owner };
    return countQueues(context.db, viewer, ownerOf(request, undefined));
  },
});
