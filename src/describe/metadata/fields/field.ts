/**
 * Fields that the operator defines. A group of fields is read from one JSON Schema file (`read-schema.ts`); its values are
 * the member of the same name in `fields` of the metadata.
 */

/** Translations of a text by language tag, such as `de`. */
export type Translations = Record<string, string>;

/** Texts about a field, for people. */
export interface Described {
  title: string;
  titles: Translations;
  description?: string;
  descriptions: Translations;
}

/** A value of an enumeration. */
export interface Choice {
  value: string | number;
  title: string;
  titles: Translations;
}

/** What a value may be. Limits that do not apply to the type are absent. */
export interface FieldValue {
  type: "text" | "number" | "integer" | "boolean" | "list" | "group";
  /** The only values; of texts and numbers. */
  choices?: Choice[];
  format?: "date" | "uri" | "email";
  /** In Unicode code points. */
  minLength?: number;
  maxLength?: number;
  /** A regular expression in RE2's syntax, which may match any part of the text. */
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  /** Unit of a number, such as `cm`. */
  unit?: string;
  /** Of a list. */
  items?: FieldValue;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  /** Of a group. */
  fields?: Field[];
}

/** A field of a group. */
export interface Field extends FieldValue, Described {
  /** Its name in the metadata. */
  name: string;
  /** Whether it must be given, if its group has any value. */
  required: boolean;
  /** Whether the values are measured variables of the dataset (`variableMeasured` in schema.org). */
  variable: boolean;
}

/** A group of fields, as one schema file defines it. */
export interface FieldGroup extends Described {
  /** The name of the file without its ending. */
  name: string;
  /** Whether every dataset must have values for it. */
  required: boolean;
  fields: Field[];
  /** The text of the schema file, which is archived with the values. */
  schema: string;
}

/** A value of a field: the JSON types. */
export type Value = string | number | boolean | Value[] | { [name: string]: Value };

/** Values of one group by the names of its fields. */
export type GroupValues = Record<string, Value>;
