import { test } from "vitest";
import { INSTALL_POSTGRES } from "./postgres.ts";

/** Stands for the journeys on PostgreSQL where that is not installed; see vitest.config.ts. */
test.skip(`every journey on PostgreSQL too (${INSTALL_POSTGRES})`, () => undefined);
