import { configureGlobal } from "fast-check";

/**
 * Property tests generate the same inputs in every run, so that no change fails by chance. `TEST_SEED=7 npx vitest run FILE`
 * generates others.
 */
export const seed = Number(process.env.TEST_SEED ?? 20_261_125);
configureGlobal({ seed });
