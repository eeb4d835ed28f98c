import { type Static, Type } from "typebox";
import { findDataset } from "../../../db/datasets/datasets.ts";
import { type DoiRow, listDois, requestDoiCheck } from "../../../db/publication/dois.ts";
import { Problem } from "../../../domain/problems.ts";
import { shortText } from "../../../domain/submission/summary.ts";
import { uuidOf } from "../../../domain/uuid.ts";
import { CONCEPT } from "../../../publication/rules/doi.ts";
import type { HttpContext } from "../../context.ts";
import { DATASET } from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { invalidCursor, pageAnswer, pageOf, paging } from "../../responses/paging.ts";
import {
  closedObject,
  flag,
  list,
  nullable,
  object,
  optionalFlag,
  optionalText,
  text,
  timeOrNull,
  uuid,
} from "../../schemas/basics.ts";
import { RegistrationProblemView } from "../../schemas/publication.ts";

const PAGE = 100;
const LONGEST_TITLE = 300;

const DoiView = object("Doi", "A registered DOI, and its comparison with DataCite.", {
  doi: text("The DOI."),
  dataset: uuid("Id of the dataset."),
  title: text("Title of the dataset."),
  version: nullable(
    Type.Integer({ minimum: 1 }),
    "Number of the version; null for a concept DOI, which stands for all versions.",
  ),
  registeredAt: timeOrNull("Time at which DataCite registered the handle."),
  checkedAt: timeOrNull("Time of the last comparison; null until one that was requested has succeeded."),
  differences: list(
    Type.String(),
    "Attributes of DataCite’s REST API that differ from the archive; `doi` if DataCite does not have the DOI, `registered` if its handle is not registered, and `state` if it is not findable.",
  ),
  problem: nullable(
    RegistrationProblemView,
    "Why the last attempt to compare it failed; null after a success. The service tries again.",
  ),
});

/** Lists the registered DOIs. */
export const doiList = operation({
  route: "GET /doi",
  operationId: "listDois",
  summary: "List registered DOIs",
  description:
    "Returns the registered DOIs of this service with the result of the last comparison with DataCite, which runs daily. For curators and admins.",
  tag: "Publication",
  querystring: Type.Object({
    different: optionalFlag({
      description: "Only DOIs that differ from the archive, or whose comparison is queued or fails.",
      examples: [true],
    }),
    dataset: optionalText({ description: "Only DOIs of this dataset.", examples: [DATASET] }),
    ...paging(PAGE),
  }),
  response: pageAnswer(DoiView, "DOIs", {
    doi: "10.5072/k7m2qx9p",
    dataset: DATASET,
    title: "Soil moisture of the wheat trial",
    version: 1,
    registeredAt: "2026-06-02T09:00:02.000Z",
    checkedAt: "2026-06-03T09:00:00.000Z",
    differences: [],
    problem: null,
  }),
  handler: async (context, request, reply) => {
    const { different = false, dataset: named, limit = PAGE, cursor } = request.query;
    const dataset = await knownDataset(context, named);
    const after = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString("utf8");
    // The database refuses texts with this character.
    if (after?.includes("\0")) throw invalidCursor();
    const rows = await listDois(context.db, { isDifferent: different, dataset, after, limit: limit + 1 });
    const writeDoi = ({ doi }: DoiRow) => Buffer.from(doi).toString("base64url");
    return pageOf(context, request, reply, { rows, views: rows.map(viewDoi), limit, cursor: writeDoi });
  },
});

/** Queues comparisons of DOIs with DataCite. */
export const doiCheck = operation({
  route: "POST /doi/check",
  operationId: "checkDois",
  summary: "Compare DOIs with DataCite",
  description:
    "Queues a comparison of all registered DOIs, or of those of a dataset. With `repair`, differences are corrected: metadata and address are sent again, and hidden DOIs are made findable. For admins. `GET /doi?different=true` shows the progress and the result.",
  tag: "Publication",
  problems: ["publication_off"],
  body: withExample(
    closedObject("DoiCheckRequest", "A comparison of registered DOIs.", {
      dataset: optionalText({ description: "Id of the dataset whose DOIs are compared. Default: all datasets." }),
      repair: Type.Optional(flag("Whether to correct differences. Default: false.")),
    }),
    {},
  ),
  response: {
    202: documented(
      object("DoiCheck", "The comparisons that were queued.", {
        queued: Type.Integer({ minimum: 0, description: "Number of DOIs that are compared." }),
      }),
      { description: "The comparisons are queued.", example: { queued: 12 } },
    ),
  },
  handler: async (context, request) => {
    if (!context.publication.registersDois) {
      throw new Problem("publication_off", "This service has no DataCite account, so that it registers no DOIs");
    }
    const { repair = false, dataset: named } = request.body;
    const dataset = await knownDataset(context, named);
    const queued = await requestDoiCheck(context.db, { repair, dataset });
    return { queued };
  },
});

/** The id of the dataset that a request names, also if it is withdrawn: its DOIs remain. @throws Problem `not_found` */
async function knownDataset({ db }: HttpContext, named: string | undefined): Promise<string | undefined> {
  if (named === undefined) return undefined;
  const dataset = await findDataset(db, uuidOf(named));
  if (dataset === undefined) throw new Problem("not_found", "The service has no dataset with this id");
  return dataset.id;
}

function viewDoi(row: DoiRow & { title: string }): Static<typeof DoiView> {
  const { doi, dataset_id, version, registered_at, checked_at, differences, problem } = row;
  return {
    ...{ doi, problem },
    dataset: dataset_id,
    title: shortText(row.title, LONGEST_TITLE),
    version: version === CONCEPT ? null : version,
    registeredAt: registered_at?.toISOString() ?? null,
    checkedAt: checked_at?.toISOString() ?? null,
    differences: differences ?? [],
  };
}
