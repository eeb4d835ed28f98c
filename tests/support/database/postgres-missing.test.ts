import { test } from "vitest";
import { lacks, skipNote } from "../tools.ts";

/** Stands for the tests on PostgreSQL where that is not installed; see vitest.config.ts. */
test.skipIf(lacks("PostgreSQL"))(`tests of the database, on PostgreSQL ${skipNote("PostgreSQL")}`, () => undefined);
