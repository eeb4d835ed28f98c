import { Type } from "typebox";
import type { FieldGroup } from "../../describe/metadata/fields/field.ts";
import { readFieldSchema } from "../../describe/metadata/fields/read-schema.ts";
import { metadataOf } from "../dataset/described.ts";
import { requireVersion, VersionQuery } from "../dataset/version.ts";
import { answer, operation } from "../operation.ts";
import { DatasetParams, flag, list, object, text } from "../schemas.ts";

const Texts = Type.Record(Type.String(), Type.String(), { description: "Translations by language tag." });

const Choice = object("FieldChoice", "A value of an enumeration.", {
  value: Type.Union([Type.String(), Type.Number()], { description: "The value in the metadata." }),
  title: text("Its name for people."),
  titles: Texts,
});

const limit = (description: string) => Type.Optional(Type.Number({ description }));

const valueMembers = {
  type: Type.Enum(["text", "number", "integer", "boolean", "list", "group"], { description: "What the value is." }),
  choices: Type.Optional(list(Choice, "The only allowed values.")),
  format: Type.Optional(Type.Enum(["date", "uri", "email"], { description: "Form of a text." })),
  minLength: limit("Minimum length of a text, in Unicode characters."),
  maxLength: limit("Maximum length of a text, in Unicode characters."),
  pattern: Type.Optional(text("Regular expression (RE2) that a part of the text must match.")),
  minimum: limit("Least number."),
  maximum: limit("Greatest number."),
  exclusiveMinimum: limit("The number must be greater."),
  exclusiveMaximum: limit("The number must be less."),
  unit: Type.Optional(text("Unit of a number.")),
  minItems: limit("Minimum number of entries of a list."),
  maxItems: limit("Maximum number of entries of a list."),
  uniqueItems: Type.Optional(flag("Whether all entries of a list must differ.")),
  items: Type.Optional(
    Type.Unknown({ description: "The entries of a list, in the form of a field without name and texts." }),
  ),
  fields: Type.Optional(list(Type.Unknown(), "The fields of a group, in the same form.")),
};

const describedMembers = {
  title: text("Its name for people."),
  titles: Texts,
  description: Type.Optional(text("Explanation.")),
  descriptions: Texts,
  required: flag("For a group: whether every dataset needs values. For a field: whether its group needs it."),
};

const Field = object("Field", "An additional field of the metadata.", {
  name: text("Name in the metadata."),
  ...describedMembers,
  variable: flag("Whether the values are measured variables of the dataset."),
  ...valueMembers,
});

const FieldGroupView = object("FieldGroup", "A group of metadata fields that the operator has defined.", {
  name: text("Name of the member of `fields` in the metadata."),
  ...describedMembers,
  fields: list(Field, "The fields, in order."),
});

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
    200: answer(Type.Array(FieldGroupView), { description: "The groups, in order.", example: [example] }),
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
  response: {
    200: answer(Type.Array(FieldGroupView), { description: "The groups.", example: [example] }),
  },
  handler: async (context, request) => {
    const { metadata } = await metadataOf(context, await requireVersion(context, request));
    return Object.entries(metadata.fieldSchemas ?? {}).map(([name, schema]) => view(readFieldSchema(name, schema)));
  },
});

function view({ schema: _, ...group }: FieldGroup) {
  return group;
}
