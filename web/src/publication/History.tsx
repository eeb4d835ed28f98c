import { Anchor, Button, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { type Publication, type PublicationEntry, readHistory } from "../api/publications.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import common from "../ui/Common.module.css";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFormats, visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { Account, shortName } from "./Account.tsx";
import { CommentForm } from "./CommentForm.tsx";
import { PlaceLink } from "./PlaceLink.tsx";
import classes from "./Publication.module.css";
import { useChangedSince } from "./useChangedSince.ts";
import { useEntryWords } from "./useEntryWords.ts";
import "./words.ts";

interface Props {
  publication: Publication;
  mayEdit: boolean;
  isLatest: boolean;
}

const DECISIONS = ["request-changes", "decline", "approve"];

/** Decisions and comments, oldest first, each with its answers, and the form for a comment. */
export function History({ publication, mayEdit, isLatest }: Props) {
  const { t } = useTranslation("publication");
  const { actions } = publication;
  const { history, before, more } = useHistory(publication);
  const [answered, setAnswered] = useState<PublicationEntry>();
  const field = useRef<HTMLTextAreaElement>(null);
  const threads = useMemo(() => threadsOf(history), [history]);
  const mayComment = actions.includes("comment");
  const answer = (entry: PublicationEntry) => {
    setAnswered(entry);
    field.current?.focus();
  };
  const entryProps = { publication, mayEdit, ...(mayComment && { onAnswer: answer }) };
  return (
    <section className={classes.part} aria-labelledby="publication-history">
      <Title order={3} size="h5" id="publication-history">
        {t("history.title")}
      </Title>
      <Compared publication={publication} isLatest={isLatest} />
      {before !== null && (
        <BusyButton variant="default" size="compact-sm" isBusy={more.isPending} onClick={() => more.mutate(before)}>
          {t("history.earlier")}
        </BusyButton>
      )}
      {more.error !== null && <ProblemAlert error={more.error} />}
      {threads.length > 0 && (
        <ol className={`${common.list} ${classes.history}`} aria-labelledby="publication-history">
          {threads.map(({ entry, answers }) => (
            <li key={entry.id}>
              <Entry entry={entry} {...entryProps} />
              {answers.length > 0 && (
                <ol className={`${common.list} ${classes.answers}`}>
                  {answers.map((one) => (
                    <li key={one.id}>
                      <Entry entry={one} {...entryProps} />
                    </li>
                  ))}
                </ol>
              )}
            </li>
          ))}
        </ol>
      )}
      {mayComment && (
        <CommentForm
          publication={publication}
          field={field}
          answered={answered}
          onAnswered={() => setAnswered(undefined)}
        />
      )}
    </section>
  );
}

/** The entries that were loaded, and the number before which there are more. The publication has the newest ones. */
function useHistory(publication: Publication) {
  const { dataset, version, history: newest, historyBefore } = publication;
  const [loaded, setLoaded] = useState<{ entries: PublicationEntry[]; before: number | null }>();
  const first = newest[0]?.id ?? Number.POSITIVE_INFINITY;
  const history = useMemo(
    () => [...(loaded?.entries.filter(({ id }) => id < first) ?? []), ...newest],
    [loaded, first, newest],
  );
  const more = useMutation({
    mutationFn: (before: number) => readHistory(dataset, version, before),
    // With the newest entries of now, which can be followed by others.
    onSuccess: (page) => setLoaded({ entries: [...page.history, ...history], before: page.historyBefore }),
  });
  return { history, before: loaded === undefined ? historyBefore : loaded.before, more };
}

interface EntryProps {
  entry: PublicationEntry;
  publication: Publication;
  mayEdit: boolean;
  onAnswer?: (entry: PublicationEntry) => void;
}

function Entry({ entry, publication: { dataset, version }, mayEdit, onAnswer }: EntryProps) {
  const { t } = useTranslation("publication");
  const { dateTime } = useFormats();
  const wordsOf = useEntryWords();
  const { actor, at, comment, place, revision } = entry;
  const name =
    actor === null ? t(entry.action === "access_requested" ? "history.reader" : "history.service") : shortName(actor);
  return (
    <article className={common.entry}>
      <p>
        <strong>{actor === null ? name : <Account name={actor} />}</strong> {wordsOf(entry)}{" "}
        <span className={common.small}>
          <DateTime iso={at} /> · {t("revision", { ns: "ui", revision })}
        </span>
      </p>
      {place !== null && (
        <p className={common.small}>
          <PlaceLink place={place} dataset={dataset} version={version} mayEdit={mayEdit} />
        </p>
      )}
      {comment !== "" && <p className={common.quote}>{visibleLines(comment)}</p>}
      {comment !== "" && actor !== null && onAnswer !== undefined && (
        <Button
          variant="subtle"
          size="compact-sm"
          ml="-0.5rem"
          aria-label={t("history.answerTo", { name, at: dateTime(at) })}
          onClick={() => onAnswer(entry)}
        >
          {t("history.answer")}
        </Button>
      )}
    </article>
  );
}

/** A link to what was changed since the last decision, if the metadata have changed. */
function Compared({ publication, isLatest }: { publication: Publication; isLatest: boolean }) {
  const { t } = useTranslation("publication");
  const { dataset, version, revision, history, approvedRevision } = publication;
  const before = history.findLast(({ action }) => DECISIONS.includes(action))?.revision ?? approvedRevision;
  const isChanged = useChangedSince(publication, before ?? revision);
  if (before === null || !isChanged || !isLatest) return null;
  const params = new URLSearchParams({ from: `${version}.${before}`, to: `${version}.${revision}` });
  return (
    <Anchor component={Link} href={`/datasets/${dataset}/revisions?${params}`}>
      {t("history.compare")}
    </Anchor>
  );
}

interface Thread {
  entry: PublicationEntry;
  /** Answers to it, and to its answers. */
  answers: PublicationEntry[];
}

function threadsOf(history: readonly PublicationEntry[]): Thread[] {
  const threads: Thread[] = [];
  const threadOf = new Map<number, Thread>();
  for (const entry of history) {
    const known = entry.answers === null ? undefined : threadOf.get(entry.answers);
    if (known === undefined) threads.push({ entry, answers: [] });
    else known.answers.push(entry);
    threadOf.set(entry.id, known ?? (threads.at(-1) as Thread));
  }
  return threads;
}
