import { test } from "vitest";
import { lacks, skipNote } from "../tools.ts";

/** Replaces the tests on PostgreSQL if it is not installed; see vitest.config.ts. */
test.skipIf(lacks("PostgreSQL"))(`tests of the database, on PostgreSQL ${skipNote("PostgreSQL")}`, () => undefined);
