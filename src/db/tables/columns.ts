import type { ColumnType } from "kysely";

/** Types of columns that several tables have. */

export type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** Has a default in the database. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>;
/** JSON that is written as text. */
export type Json<T> = ColumnType<T, string, string>;
