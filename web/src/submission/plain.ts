import type { SubmissionEvent } from "@accession/client";
import { useTranslation } from "react-i18next";
import { useFormats } from "../ui/format.ts";

/** Events of which the service’s own sentence says more than their kind. */
const TELLING = new Set<SubmissionEvent["type"]>([
  "objects_unreadable",
  "excluded",
  "drift",
  "waiting",
  "resumed",
  "failed",
  "audit_failed",
  "withdrawn",
]);

/** Gives what happened in the page’s language, and what the service says of it where that is more. */
export function usePlainWords(): (event: SubmissionEvent) => { words: string; detail: string | undefined } {
  const { t } = useTranslation("submission");
  const { t: ui } = useTranslation("ui");
  const { count, bytes } = useFormats();
  const objects = (number: number) => ui("objects", { count: number, shown: count(number) });
  return ({ type, data, message }) => ({
    words: t(`log.events.${type}`, {
      objects: objects(numberIn(data, "objects")),
      bytes: bytes(numberIn(data, "bytes")),
      count: objects(numberIn(data, "count")),
    }),
    detail: TELLING.has(type) ? message : undefined,
  });
}

/** A number that an event’s data may hold. */
function numberIn(data: unknown, name: string): number {
  const value = typeof data === "object" && data !== null ? (data as Record<string, unknown>)[name] : undefined;
  return typeof value === "number" ? value : 0;
}
