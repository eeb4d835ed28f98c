import { type TProperties, type TSchema, Type } from "typebox";

/** Parts of schemas for JSON formats whose members are defined by standards. */

export const text = (description: string) => Type.String({ description });
export const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
export const one = <Value extends string>(value: Value, description = "Constant.") =>
  Type.Literal(value, { description });
/** An object of a standard. */
export const part = <Members extends TProperties>(title: string, description: string, members: Members) =>
  Type.Object(members, { title, description });
export const list = <Schema extends TSchema>(items: Schema, description: string) => Type.Array(items, { description });
