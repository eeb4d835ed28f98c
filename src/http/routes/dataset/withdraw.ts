import { Type } from "typebox";
import { findDataset } from "../../../db/datasets/datasets.ts";
import { Problem } from "../../../domain/problems.ts";
import { requireText } from "../../../intake/request.ts";
import { withdraw } from "../../../intake/withdraw.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { requireAdmin } from "../../requests/require-resource.ts";
import { viewTombstone } from "../../responses/tombstone.ts";
import { closedObject, DatasetParams, TombstoneView } from "../../schemas.ts";

const WithdrawRequest = withExample(
  closedObject("WithdrawRequest", "The reason for a withdrawal.", {
    reason: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Reason for the withdrawal. The tombstone contains it.",
    }),
  }),
  { reason: examples.tombstone.reason },
);

/** Withdraws a dataset: its content is deleted. Its tombstone and receipts remain. */
export const datasetWithdraw = operation({
  route: "POST /dataset/:id/withdraw",
  operationId: "withdrawDataset",
  summary: "Withdraw a dataset",
  description:
    "Withdraws a dataset: permanently deletes its content from the archive, with all versions. For admins. After the response, requests for the dataset return 410 and its tombstone, and the identifiers of published versions lead to a page with title, authors, dates and reason. `removedAt` states when the content was deleted. Repeating the request has no effect. To end only the publication of a version, and keep its files, use `POST /dataset/{id}/publication/withdraw`.",
  tag: "Datasets",
  problems: ["dataset_busy"],
  params: DatasetParams,
  body: WithdrawRequest,
  response: {
    202: documented(TombstoneView, { description: "The dataset is withdrawn.", example: examples.tombstone }),
  },
  handler: async (context, request) => {
    const { id } = request.params;
    requireText(request.body.reason, "/reason");
    await withdraw(context.intake, id, requireAdmin(request), request.body.reason);
    const dataset = await findDataset(context.db, id);
    if (dataset === undefined) throw new Problem("not_found");
    return await viewTombstone(context, dataset);
  },
});
