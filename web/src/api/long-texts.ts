import type { components } from "@accession/client";
import type { Known } from "./metadata.ts";

/** Further long texts, each with a field in the form and a section on the page of a dataset. */
export const LONG_TEXTS = ["acknowledgements"] as const satisfies readonly (keyof Known<
  components["schemas"]["Metadata"]
>)[];
