import type { SubmissionEvent } from "@accession/client";
import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";
import { useProblemWords } from "../ui/problemWords.ts";

/** Events of which the service’s own sentence says more than their kind. */
const TELLING = new Set<SubmissionEvent["type"]>([
  "objects_unreadable",
  "drift",
  "waiting",
  "resumed",
  "failed",
  "audit_failed",
]);

/** An event in plain words. */
interface Plain {
  words: string;
  /** Why, as somebody wrote it. */
  reason: string | undefined;
  /** What the service says of it where that is more, in English. */
  detail: string | undefined;
}

/** Gives what happened in the page’s language, and what others say of it. */
export function usePlainWords(): (event: SubmissionEvent) => Plain {
  const { t } = useTranslation("submission");
  const { t: ui } = useTranslation("ui");
  const { count, bytes } = useFormats();
  const wordsOf = useProblemWords();
  const objects = (number: number) => ui("objects", { count: number, shown: count(number) });
  return ({ type, data, message }) => {
    const words = t(`log.events.${type}`, {
      objects: objects(numberIn(data, "objects")),
      bytes: bytes(numberIn(data, "bytes")),
      count: objects(numberIn(data, "count")),
    });
    const problem = wordsOf(textIn(data, "code"));
    return {
      words: problem === undefined ? words : `${words}: ${problem.title}`,
      reason: textIn(data, "reason"),
      detail: TELLING.has(type) ? message : undefined,
    };
  };
}

/** A number that an event’s data may hold. */
function numberIn(data: unknown, name: string): number {
  const value = memberOf(data, name);
  return typeof value === "number" ? value : 0;
}

function textIn(data: unknown, name: string): string | undefined {
  const value = memberOf(data, name);
  return typeof value === "string" ? value : undefined;
}

function memberOf(data: unknown, name: string): unknown {
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>)[name] : undefined;
}
