import germanProblems from "../../../../packages/rules/src/words/problems.de.json" with { type: "json" };
import type { MailLanguage } from "../../../domain/submission/mail-preference.ts";
import { oneLine, sentence } from "../mail-text.ts";
import { de } from "./de.ts";
import { en, type MailTexts } from "./en.ts";

export const MAIL_TEXTS: Readonly<Record<MailLanguage, MailTexts>> = { en, de };

/** A problem as the service states it, in English. */
interface StatedProblem {
  code: string;
  message: string;
  action: string;
}

/**
 * A problem in the language of a mail. The error catalogue has a German text for each code; the message about this case, which can
 * state more, is in English and follows it.
 */
export function problemIn(language: MailLanguage, { code, message, action }: StatedProblem): StatedProblem {
  const german = (germanProblems as Record<string, { title: string; action: string } | undefined>)[code];
  if (language === "en" || german === undefined) return { code, message: sentence(message), action };
  return {
    code,
    message: `${sentence(german.title)} Meldung des Dienstes (englisch): ${sentence(oneLine(message, 500))}`,
    action: german.action,
  };
}
