import { type DepositAgreement, depositAgreement } from "../../publication/rules/deposit-agreement.ts";
import { type ReplyTemplate, replyTemplatesIn } from "../../publication/rules/reply-templates.ts";
import { isLoopbackUrl, parseCount, SettingError } from "./parse.ts";
import { languageTexts, readText } from "./text-files.ts";

const MOST_REMINDER_DAYS = 365;

/** Plain HTTP would send the password unencrypted, so that it is only accepted on this machine. */
export function parseDataciteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBare =
    url !== undefined && url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (!isBare || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopbackUrl(text)))) {
    throw new SettingError("is not an address such as https://api.test.datacite.org");
  }
  return url.href.replace(/\/+$/, "");
}

/** Symbols of DataCite repositories, such as `BL.IMPERIAL`. */
export function parseRepository(text: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)+$/.test(text))
    throw new SettingError("is not a repository id such as TIB.IPK");
  return text;
}

/** ISO 26324: directory indicator 10, registrant code, perhaps with subdivisions. */
export function parsePrefix(text: string): string {
  if (!/^10\.\d{4,9}(\.\d+)*$/.test(text)) throw new SettingError("is not a DOI prefix such as 10.5072");
  return text;
}

/** The password in a file. */
export function readPassword(file: string): string {
  const password = readText(file).replace(/\r?\n$/, "");
  if (password === "" || /\p{Cc}/u.test(password)) {
    throw new SettingError("names a file that does not contain exactly one line with the password");
  }
  return password;
}

export function parseReminderDays(text: string): number {
  const days = parseCount(text);
  if (days > MOST_REMINDER_DAYS) throw new SettingError(`is not a number from 0 to ${MOST_REMINDER_DAYS}`);
  return days;
}

/** The deposit agreement in several languages. */
export function readAgreements(list: string): DepositAgreement[] {
  return languageTexts("agreement")(list).map(({ language, text }) => depositAgreement(language, text));
}

/** Prepared texts for comments of curators, in several languages. */
export function readReplyTemplates(list: string): ReplyTemplate[] {
  return languageTexts("replies")(list).flatMap(({ language, text }) => {
    try {
      return replyTemplatesIn(language, text);
    } catch (error) {
      throw new SettingError(`names a file for the language “${language}” that ${(error as Error).message}`);
    }
  });
}
