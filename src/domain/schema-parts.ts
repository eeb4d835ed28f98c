import { type TProperties, type TSchema, Type } from "typebox";

/** Parts of schemas, for the API and for JSON formats that standards define. Each takes a description. */

export const text = (description: string) => Type.String({ description });
export const list = <Item extends TSchema>(items: Item, description: string) => Type.Array(items, { description });
export const constant = <Value extends string>(value: Value, description = "Constant.") =>
  Type.Literal(value, { description });
/** An object. @param title its name among the components of the OpenAPI document */
export const object = <Members extends TProperties>(title: string, description: string, members: Members) =>
  Type.Object(members, { title, description });
