import { LONG_DESCRIPTION, SHORT_DESCRIPTION } from "../../../packages/rules/src/index.ts";
import type { Licence } from "./values/licence.ts";

/** What makes metadata less useful without being wrong. A check of metadata warns; publication may require more. */

/** What is weak about a licence. @param licence if it is not a known one, it has neither an SPDX id nor a URL */
export function licenceWeakness(licence: Licence | undefined): "license_missing" | "license_unknown" | undefined {
  if (licence === undefined) return "license_missing";
  return licence.spdx === undefined && licence.url === undefined ? "license_unknown" : undefined;
}

/** What is weak about a description. @param description without white space at its ends */
export function descriptionWeakness(
  description: string | undefined,
): "description_missing" | "description_short" | "description_long" | undefined {
  if (description === undefined) return "description_missing";
  const length = Array.from(description).length;
  if (length < SHORT_DESCRIPTION) return "description_short";
  return length > LONG_DESCRIPTION ? "description_long" : undefined;
}
