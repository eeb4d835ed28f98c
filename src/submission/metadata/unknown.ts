import type { Findings } from "../findings.ts";
import { pointerTo, unknownNames } from "../shape.ts";

/**
 * Finds the members that the schema does not name: an error for a name that is probably misspelt, because metadata
 * cannot be corrected once they are archived, and a warning for any other.
 *
 * @param meant the known member that was probably meant by a name
 */
export function checkUnknown(
  schema: { properties: object },
  value: object,
  base: string,
  findings: Findings,
  meant: (name: string) => string | undefined,
): void {
  for (const name of unknownNames(schema, value)) {
    const pointer = pointerTo(base, name);
    const known = meant(name);
    if (known === undefined) findings.warn(pointer, "unknown_member", "This member is not known; it has no effect.");
    else findings.error(pointer, "misspelt_member", `This member is not known. Did you mean “${known}”?`);
  }
}
