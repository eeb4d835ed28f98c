import { Type } from "typebox";
import { archivedGroup } from "../../describe/metadata/fields/archived-group.ts";
import { type FieldGroup, FieldGroupView } from "../../describe/metadata/fields/field.ts";
import { metadataOf } from "../dataset/export-input.ts";
import { requireVersion, VersionQuery } from "../dataset/readable-version.ts";
import { documented, operation } from "../operation.ts";
import { DatasetParams } from "../schemas.ts";

const example = {
  name: "plants",
  title: "Plants",
  titles: { de: "Pflanzen" },
  descriptions: {},
  required: false,
  fields: [
    {
      name: "organism",
      title: "Organism",
      titles: { de: "Organismus" },
      descriptions: {},
      required: true,
      variable: false,
      type: "text" as const,
      maxLength: 200,
    },
  ],
};

/** Lists the fields that the operator has defined. */
export const fieldGroups = operation({
  route: "GET /field-groups",
  operationId: "listFieldGroups",
  summary: "List the additional metadata fields",
  description:
    "Fields that the operator has defined beside those of this documentation. Their values are the member `fields` of the metadata: one object for each group. No authentication is needed.",
  tag: "Before submitting",
  response: {
    200: documented(Type.Array(FieldGroupView), { description: "The groups, in order.", example: [example] }),
  },
  handler: async (context) => context.intake.fieldGroups.map(view),
});

/** Lists the fields of an archived version as they were defined at that time. */
export const datasetFieldGroups = operation({
  route: "GET /dataset/:id/field-groups",
  operationId: "listFieldGroupsOfDataset",
  summary: "List the additional metadata fields of a dataset",
  description:
    "The groups that have values in the newest metadata of the version, as they were defined when the values were archived. The current definition can differ.",
  tag: "Datasets",
  problems: ["dataset_withdrawn"],
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  response: { 200: documented(Type.Array(FieldGroupView), { description: "The groups.", example: [example] }) },
  handler: async (context, request) => {
    const { metadata } = await metadataOf(context, await requireVersion(context, request));
    const { fields = {}, fieldSchemas = {} } = metadata;
    return Object.entries(fieldSchemas).map(([name, schema]) =>
      view(archivedGroup({ name, schema, values: fields[name] ?? {} }).group),
    );
  },
});

function view({ schema: _, ...group }: FieldGroup) {
  return group;
}
