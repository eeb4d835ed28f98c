import { ProblemError } from "@accession/client";
import { Button, Group, Stack, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { joinWords, useProblemWords } from "../../ui/problem/problemWords.ts";
import { useFormats, visible } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import { Bytes } from "../../ui/text/Numbers.tsx";
import { ChangedElsewhere, type Entry, FILE_STATES, type FileState } from "./sending/file-table.ts";
import type { UploadSession } from "./session.ts";
import type { Snapshot } from "./snapshot.ts";
import classes from "./Upload.module.css";

/** Files on a page of the list. */
const PAGE = 25;

interface Props {
  session: UploadSession;
  snapshot: Snapshot;
}

/** The files with their states, one page at a time. */
export function FileList({ session, snapshot: { counts, files, hasChosen } }: Props) {
  const { t } = useTranslation("upload");
  const { count } = useFormats();
  const [filter, setFilter] = useState<FileState>();
  const [page, setPage] = useState(0);
  const removing = useMutation({ mutationFn: (entry: Entry) => session.remove(entry) });
  // A filter whose files are all in another state now has an empty list.
  const all = filter === undefined ? files : counts[filter];
  const from = Math.min(page, Math.max(0, Math.ceil(all / PAGE) - 1)) * PAGE;
  const shown = session.files.slice(filter, from, from + PAGE);
  const filters = [undefined, ...FILE_STATES.filter((state) => counts[state] > 0 || state === filter)];
  const wordsOf = (state: FileState | undefined) => {
    if (state === undefined) return t("list.all");
    return t(`list.${state === "extra" && !hasChosen ? "known" : state}`);
  };
  return (
    <Stack gap="0.75rem" component="section" aria-labelledby="upload-files">
      <Title order={3} size="h5" id="upload-files">
        {t("list.title")}
      </Title>
      <fieldset className={classes.filters} aria-label={t("list.filter")}>
        {filters.map((state) => (
          <button
            key={state ?? "all"}
            type="button"
            aria-pressed={state === filter}
            onClick={() => {
              setFilter(state);
              setPage(0);
            }}
          >
            {wordsOf(state)} ({count(state === undefined ? files : counts[state])})
          </button>
        ))}
      </fieldset>
      {removing.error !== null && <ProblemAlert error={removing.error} />}
      <ul className={classes.files} aria-labelledby="upload-files">
        {shown.map((entry) => (
          <FileRow
            key={entry.path}
            entry={entry}
            words={wordsOf(entry.state)}
            onRetry={() => session.retry([entry])}
            onRemove={() => removing.mutate(entry)}
          />
        ))}
        {shown.length === 0 && <li>{t("list.none")}</li>}
      </ul>
      {all > PAGE && (
        <Group justify="space-between" gap="0.5rem">
          <span className={classes.numbers}>
            {t("list.pages", { from: count(from + 1), to: count(from + shown.length), all: count(all) })}
          </span>
          <Group gap="0.5rem">
            <Button variant="default" size="compact-sm" disabled={from === 0} onClick={() => setPage(from / PAGE - 1)}>
              {t("list.before")}
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              disabled={from + PAGE >= all}
              onClick={() => setPage(from / PAGE + 1)}
            >
              {t("list.next")}
            </Button>
          </Group>
        </Group>
      )}
    </Stack>
  );
}

interface RowProps {
  entry: Entry;
  words: string;
  onRetry: () => void;
  onRemove: () => void;
}

function FileRow({ entry, words, onRetry, onRemove }: RowProps) {
  const { t } = useTranslation("upload");
  const { percent } = useFormats();
  const reasonOf = useReason();
  const { path, state, bytes, read, arrived, failure } = entry;
  const moved = state === "reading" ? read : arrived;
  const isMoving = (state === "reading" || state === "sending") && bytes > 0 && moved > 0;
  const name = visible(path);
  return (
    <li data-state={state}>
      <div className={classes.fileName}>
        <Name>{path}</Name>
      </div>
      <span className={classes.fileState}>
        {isMoving ? t("list.share", { state: words, percent: percent(moved / bytes) }) : words}
      </span>
      <span className={classes.fileSize}>
        <Bytes value={bytes} />
      </span>
      <span className={classes.fileActions}>
        {state === "failed" && (
          <button type="button" aria-label={t("list.retryOf", { name })} onClick={onRetry}>
            {t("list.retry")}
          </button>
        )}
        <button type="button" aria-label={t("list.removeOf", { name })} onClick={onRemove}>
          {t("list.remove")}
        </button>
      </span>
      {failure !== undefined && <p className={classes.reason}>{reasonOf(failure)}</p>}
    </li>
  );
}

/** Problems of single files for which this part has texts. */
const REASONS = ["upload_digest_wrong", "upload_path_taken", "bad_request"] as const;

/** Says why a file could not be sent, and what to do. */
function useReason(): (failure: Error) => string {
  const { t } = useTranslation("upload");
  const problemWords = useProblemWords();
  return (failure) => {
    if (failure instanceof ChangedElsewhere) return t(`failure.${failure.what}`);
    if (!(failure instanceof ProblemError)) return t("failure.unreadable");
    const { code, title, action } = failure.problem;
    const own = REASONS.find((one) => one === code);
    return own === undefined ? joinWords(problemWords(code) ?? { title, action }) : t(`failure.${own}`);
  };
}
