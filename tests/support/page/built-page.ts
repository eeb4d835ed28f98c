import { buildIfStale } from "../../../web/build/page.ts";

/** Builds the page if its sources have changed, so that services of tests serve the current page. */
export default buildIfStale;
