import parseExpression from "spdx-expression-parse";
import { licenceByAddress, licenceById, licenceBySpelling, licences } from "./spdx.ts";

/** A licence: an SPDX id or expression where there is one, a name for people, an address where there is one. */
export interface Licence {
  spdx?: string;
  name: string;
  url?: string;
}

/**
 * The licence that a text means: an SPDX id in any case, an SPDX expression (SPDX 2.3, annex D), a usual spelling such
 * as “CC BY 4.0”, a full name, the address of a licence, or any other http(s) address. `undefined` when it is none.
 */
export function knownLicence(text: string): Licence | undefined {
  const stated = text.trim();
  const id = licenceById(stated) ?? licenceByAddress(stated);
  if (id !== undefined) return listed(id);
  const expression = canonicalExpression(stated);
  if (expression !== undefined) return { spdx: expression, name: expression };
  const meant = licenceBySpelling(stated);
  if (meant !== undefined) return listed(meant);
  return /^https?:\/\//i.test(stated) && URL.canParse(stated) ? { name: stated, url: new URL(stated).href } : undefined;
}

function listed(id: string): Licence {
  const { name = id, url } = licences.get(id) ?? {};
  return url ? { spdx: id, name, url } : { spdx: id, name };
}

/** The expression with its licence ids and operators in canonical case. Exceptions must be in theirs already. */
function canonicalExpression(text: string): string | undefined {
  const expression = text
    .replace(/[A-Za-z0-9.-]+/g, (word) =>
      /^(?:and|or|with)$/i.test(word) ? word.toUpperCase() : (licenceById(word) ?? word),
    )
    .replace(/\s+/g, " ");
  try {
    parseExpression(expression);
    return expression;
  } catch {
    // The parser tells “no expression” by throwing, which is all that is asked of it.
    return undefined;
  }
}
