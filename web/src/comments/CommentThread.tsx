import { Button, Group } from "@mantine/core";
import { type ReactNode, type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Publication, PublicationEntry } from "../api/publications.ts";
import { Account, shortName } from "../publication/Account.tsx";
import { ActionError, useActionForm } from "../publication/actions/ActionForm.tsx";
import { useEntryWords } from "../publication/useEntryWords.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import common from "../ui/Common.module.css";
import { useFormats, visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { useCaughtFocus } from "../ui/useCaughtFocus.ts";
import { useReturnedFocus } from "../ui/useReturnedFocus.ts";
import { CommentBox } from "./CommentBox.tsx";
import classes from "./Comments.module.css";
import type { Thread } from "./threads.ts";
import "../publication/words.ts";

interface Props {
  thread: Thread;
  publication: Publication;
  /** What a comment is about, if it is not where it is shown. */
  place?: ReactNode;
  placeName?: string | undefined;
  /** What receives the focus when the thread disappears because it was resolved or reopened. */
  focusAfter?: RefObject<HTMLElement | null>;
}

/** A decision or a comment with its answers, and the buttons with which owner and curators answer and resolve it. */
export function CommentThread({ thread, publication, place, placeName, focusAfter }: Props) {
  const { t } = useTranslation("publication");
  const { dateTime } = useFormats();
  const { entry, answers } = thread;
  const { actions } = publication;
  const [isAnswering, setAnswering] = useState(false);
  const opener = useReturnedFocus<HTMLButtonElement>(isAnswering);
  const region = useCaughtFocus<HTMLDivElement>(false, focusAfter);
  const canAnswer = actions.includes("comment") && entry.comment !== "" && entry.actor !== null;
  const name = shortName(entry.actor ?? "");
  return (
    <div ref={region} className={classes.thread}>
      <EntryText entry={entry}>
        {place ?? (placeName !== undefined && <p className={common.small}>{placeName}</p>)}
      </EntryText>
      {answers.length > 0 && (
        <ol className={`${common.list} ${classes.answers}`}>
          {answers.map((one) => (
            <li key={one.id}>
              <EntryText entry={one} />
            </li>
          ))}
        </ol>
      )}
      {isAnswering ? (
        <CommentBox
          publication={publication}
          label={t("comment.answering", { name })}
          submit={t("comment.submitAnswer")}
          about={{ answers: entry.id }}
          onClose={() => setAnswering(false)}
        />
      ) : (
        <Group gap="0.25rem" ml="-0.5rem">
          {canAnswer && (
            <Button
              ref={opener}
              variant="subtle"
              size="compact-sm"
              aria-label={t("history.answerTo", { name, at: dateTime(entry.at) })}
              onClick={() => setAnswering(true)}
            >
              {t("history.answer")}
            </Button>
          )}
          {actions.includes("resolve") && entry.action === "comment" && entry.resolved !== null && (
            <ResolveButton entry={entry} publication={publication} />
          )}
        </Group>
      )}
    </div>
  );
}

/** Resolves a comment, or opens it again. */
function ResolveButton({ entry, publication }: { entry: PublicationEntry; publication: Publication }) {
  const { t } = useTranslation("publication");
  const { dateTime } = useFormats();
  const acting = useActionForm(publication, { isCurrent: true, onDone: () => {} });
  const verb = entry.resolved ? "reopen" : "resolve";
  const of = { name: shortName(entry.actor ?? ""), at: dateTime(entry.at) };
  return (
    <>
      <BusyButton
        variant="subtle"
        size="compact-sm"
        isBusy={acting.isBusy}
        aria-label={t(`comment.${verb}Of`, of)}
        onClick={() => acting.send({ action: "resolve", body: { entry: entry.id, resolved: !entry.resolved } })}
      >
        {t(`comment.${verb}`)}
      </BusyButton>
      <ActionError error={acting.error} publication={publication} />
    </>
  );
}

/** Who did what, when and for which metadata revision, and what they wrote. */
export function EntryText({ entry, children }: { entry: PublicationEntry; children?: ReactNode }) {
  const { t } = useTranslation("publication");
  const wordsOf = useEntryWords();
  const { actor, at, comment, revision } = entry;
  const name =
    actor === null ? (
      t(entry.action === "access_requested" ? "history.reader" : "history.service")
    ) : (
      <Account name={actor} />
    );
  return (
    <article className={common.entry}>
      <p>
        <strong>{name}</strong> {wordsOf(entry)}{" "}
        <span className={common.small}>
          <DateTime iso={at} /> · {t("revision", { ns: "ui", revision })}
        </span>
      </p>
      {children}
      {comment !== "" && <p className={common.quote}>{visibleLines(comment)}</p>}
    </article>
  );
}
