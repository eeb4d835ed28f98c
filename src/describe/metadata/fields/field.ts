/**
 * Fields that the operator defines. A group of fields is read from one JSON Schema file (`read-schema.ts`); its values are
 * the member of the same name in `fields` of the metadata.
 */
import { type Static, Type } from "typebox";

const Texts = Type.Record(Type.String(), Type.String(), { description: "Translations by language tag." });

/** A value of an enumeration. */
export const Choice = Type.Object(
  {
    value: Type.Union([Type.String(), Type.Number()], { description: "The value in the metadata." }),
    title: Type.String({ description: "Its name for people." }),
    titles: Texts,
  },
  { title: "FieldChoice", description: "A value of an enumeration." },
);

export type Choice = Static<typeof Choice>;

const limit = (description: string) => Type.Optional(Type.Number({ description }));

/** Limits that do not apply to the type are absent. */
const valueMembers = {
  type: Type.Enum(["text", "number", "integer", "boolean", "list", "group"], { description: "What the value is." }),
  choices: Type.Optional(Type.Array(Choice, { description: "The only allowed values." })),
  format: Type.Optional(Type.Enum(["date", "uri", "email"], { description: "Form of a text." })),
  minLength: limit("Minimum length of a text, in Unicode characters."),
  maxLength: limit("Maximum length of a text, in Unicode characters."),
  pattern: Type.Optional(Type.String({ description: "Regular expression (RE2) that a part of the text must match." })),
  minimum: limit("Least number."),
  maximum: limit("Greatest number."),
  exclusiveMinimum: limit("The number must be greater."),
  exclusiveMaximum: limit("The number must be less."),
  unit: Type.Optional(Type.String({ description: "Unit of a number." })),
  minItems: limit("Minimum number of entries of a list."),
  maxItems: limit("Maximum number of entries of a list."),
  uniqueItems: Type.Optional(Type.Boolean({ description: "Whether all entries of a list must differ." })),
  items: Type.Optional(
    Type.Unknown({ description: "The entries of a list, in the form of a field without name and texts." }),
  ),
  fields: Type.Optional(Type.Array(Type.Unknown(), { description: "The fields of a group, in the same form." })),
};

/** Texts about a field, for people. */
const textMembers = {
  title: Type.String({ description: "Its name for people." }),
  titles: Texts,
  description: Type.Optional(Type.String({ description: "Explanation." })),
  descriptions: Texts,
};

const describedMembers = {
  ...textMembers,
  required: Type.Boolean({
    description: "For a group: whether every dataset needs values. For a field: whether its group needs it.",
  }),
};

const FieldView = Type.Object(
  {
    name: Type.String({ description: "Name in the metadata." }),
    ...describedMembers,
    variable: Type.Boolean({ description: "Whether the values are measured variables of the dataset." }),
    ...valueMembers,
  },
  { title: "Field", description: "An additional field of the metadata." },
);

/** A group of fields as the API describes it. */
export const FieldGroupView = Type.Object(
  {
    name: Type.String({ description: "Name of the member of `fields` in the metadata." }),
    ...describedMembers,
    fields: Type.Array(FieldView, { description: "The fields, in order." }),
  },
  { title: "FieldGroup", description: "A group of metadata fields that the operator has defined." },
);

/** Translations of a text by language tag, such as `de`. */
export type Translations = Static<typeof Texts>;

/** Texts about a field, for people. */
export type FieldTexts = Static<Type.TObject<typeof textMembers>>;

/** What a value may be. */
export interface FieldValue extends Omit<Static<Type.TObject<typeof valueMembers>>, "items" | "fields"> {
  items?: FieldValue;
  fields?: Field[];
}

/** A field of a group. */
export interface Field extends FieldValue, Omit<Static<typeof FieldView>, keyof FieldValue> {}

/** A group of fields, as one schema file defines it. Its name is that of the file without its ending. */
export interface FieldGroup extends Omit<Static<typeof FieldGroupView>, "fields"> {
  fields: Field[];
  /** The text of the schema file, which is archived with the values. */
  schema: string;
}

/** A value of a field: the JSON types. */
export type Value = string | number | boolean | Value[] | { [name: string]: Value };

/** Values of one group by the names of its fields. */
export type GroupValues = Record<string, Value>;
