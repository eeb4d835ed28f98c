import parseExpression from "spdx-expression-parse";
import { licenceByAddress, licenceById, licenceBySpelling, licences } from "./spdx.ts";

/** A licence: an SPDX id or expression if it has one, a display name, and a web address if it has one. */
export interface Licence {
  spdx?: string;
  name: string;
  url?: string;
}

/**
 * The licence named by a text: an SPDX id in any case, an SPDX expression (SPDX 2.3, annex D), a common spelling such as
 * “CC BY 4.0”, a full name, the web address of a licence, or any other http(s) address. `undefined` if it is none of these.
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

/** The expression with licence ids and operators in canonical case. Exceptions must already be in canonical case. */
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
    // The parser throws if the text is not an expression.
    return undefined;
  }
}
