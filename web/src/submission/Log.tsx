import type { SubmissionEvent } from "@accession/client";
import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import common from "../ui/Common.module.css";
import { ServiceMessage } from "../ui/problem/ProblemAlert.tsx";
import { useProblemWords } from "../ui/problem/problemWords.ts";
import { useFormats } from "../ui/text/format.ts";
import classes from "./Log.module.css";

/** Events whose message contains more than their type. */
const TELLING = new Set<SubmissionEvent["type"]>([
  "digests_read",
  "objects_unreadable",
  "drift",
  "waiting",
  "resumed",
  "failed",
  "audit_failed",
]);

/** Those of them whose message contains more than a page in another language says of them. */
const TELLING_ELSEWHERE = new Set<SubmissionEvent["type"]>([
  "digests_read",
  "objects_unreadable",
  "waiting",
  "failed",
  "audit_failed",
]);

/** An event as texts. */
interface Plain {
  words: string;
  /** The reason that a user gave. */
  reason: string | undefined;
  /** The service’s own text in English, where it contains more. */
  message: string | undefined;
}

/** What the texts need of the data of an event; each type has some of it. */
type EventFacts = Partial<Record<"objects" | "bytes" | "count", number> & Record<"code" | "reason", string>>;

/** All events of the submission, newest first. */
export function Log({ events }: { events: readonly SubmissionEvent[] }) {
  const { t } = useTranslation("submission");
  const { moment, exact } = useFormats();
  const plain = usePlainWords();
  if (events.length === 0) return <Text c="dimmed">{t("log.none")}</Text>;
  return (
    <ol style={{ listStyle: "none" }} aria-label={t("log.label")} reversed>
      {events.toReversed().map((event, index, all) => {
        const { words, reason, message } = plain(event);
        const begins = event.attempt > 1 && all[index + 1]?.attempt !== event.attempt;
        return (
          <li key={event.id} className={classes.event}>
            <time dateTime={event.at} title={exact(event.at)}>
              {moment(event.at)}
            </time>
            <div>
              <p>{begins ? `${t("log.attempt", { attempt: event.attempt })}: ${words}` : words}</p>
              {reason !== undefined && (
                <p className={common.dimmed}>
                  {t("log.because")} <bdi>{reason}</bdi>
                </p>
              )}
              {message !== undefined && <ServiceMessage text={message} className={common.dimmed} />}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Gives the texts of an event in the page’s language. */
function usePlainWords(): (event: SubmissionEvent) => Plain {
  const { t, i18n } = useTranslation("submission");
  const { count, bytes } = useFormats();
  const telling = i18n.language === "en" ? TELLING : TELLING_ELSEWHERE;
  const wordsOf = useProblemWords();
  const objects = (number: number) => t("objects", { ns: "ui", count: number, shown: count(number) });
  return ({ type, data, message }) => {
    const facts = (data ?? {}) as EventFacts;
    const words = t(`log.events.${type}`, {
      objects: objects(facts.objects ?? 0),
      bytes: bytes(facts.bytes ?? 0),
      count: objects(facts.count ?? 0),
    });
    const problem = wordsOf(facts.code);
    return {
      words: problem === undefined ? words : `${words}: ${problem.title}`,
      reason: facts.reason,
      message: telling.has(type) ? message : undefined,
    };
  };
}
