import type { AreaRow } from "../../db/uploads/areas.ts";
import { size } from "../../domain/numbers.ts";
import { dayNumber, expiryOfUpload } from "../../domain/source-access/upload-expiry.ts";
import type { MailLanguage } from "../../domain/submission/mail-preference.ts";
import type { Told } from "./mail-text.ts";
import { MAIL_TEXTS } from "./words/words.ts";

/**
 * What a mail says about an upload that expires, and how to keep it. Undefined if it does not expire on this day any more, because it was
 * used or submitted since.
 * @param options.base the address of the service
 */
export function toldAboutUpload(
  area: AreaRow,
  day: number,
  { language, base }: { language: MailLanguage; base: string },
): Told | undefined {
  const { id, used_at, warned_at, submission_id, files, bytes, received } = area;
  if (submission_id !== null || warned_at === null) return undefined;
  const expiresAt = expiryOfUpload(area, warned_at);
  if (dayNumber(expiresAt) !== day) return undefined;
  const { frame, upload } = MAIL_TEXTS[language];
  const date = dateOf(expiresAt);
  return {
    id: `${id}.${day}`,
    kind: "upload",
    title: id,
    words: {
      subject: upload.expires(date),
      text: [upload.unused(dateOf(used_at), date), upload.files(files, size(bytes), size(received)), upload.letExpire],
      action: upload.keep,
    },
    links: [
      upload.page(`${base}/app/new`),
      frame.command(`accession upload FOLDER --metadata METADATA.json --upload ${id}`),
    ],
    reason: "uploader",
  };
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
