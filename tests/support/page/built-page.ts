import { buildIfStale } from "../../../web/build/page.ts";

/** Services of tests show the page as it is in the source now. */
export default buildIfStale;
