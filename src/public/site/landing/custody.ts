import { dayText } from "../format.ts";
import { type Html, html } from "../html.ts";
import { WORDS } from "../words.ts";
import type { Landing } from "./shown.ts";

/** When and how the files were verified: at archiving against their source, and by the last audit. */
export function custodyOf({ described, audit, language }: Landing): Html {
  const words = WORDS[language].landing;
  const { publishedAt } = described.facts;
  const day = (time: string) => dayText(time, language);
  const checked = audit?.at.toISOString() ?? "";
  const audited =
    audit === undefined ? words.notAudited : audit.isIntact ? words.audited(day(checked)) : words.damaged(day(checked));
  return html`<section class="box" aria-labelledby="custody"><h2 id="custody">${words.custody}</h2>
<p class="small">${words.verified(day(publishedAt))}</p>
<p class="small">${audited}</p></section>`;
}
