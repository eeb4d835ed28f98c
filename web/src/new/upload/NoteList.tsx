import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { useFormats } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import type { UploadSession } from "./session.ts";
import type { Snapshot } from "./snapshot.ts";
import classes from "./Upload.module.css";

/** Names that are shown of each kind. */
const NAMED = 50;

interface Props {
  session: UploadSession;
  snapshot: Snapshot;
}

/** What of the choice is not uploaded, and what the upload has besides it. */
export function NoteList({ session, snapshot: { counts, notes, hasChosen, isAdding } }: Props) {
  const { t } = useTranslation("upload");
  const { count } = useFormats();
  const removing = useMutation({
    mutationFn: (state: "extra" | "partial") => session.removeAll(state),
  });
  const number = (many: number) => ({ count: many, shown: count(many) });
  return (
    <>
      {(["unreadable", "sameName", "emptyFolders", "replaced"] as const).map((kind) => {
        const names = notes[kind];
        if (names.length === 0) return null;
        return (
          <Note
            key={kind}
            tone={kind === "unreadable" || kind === "sameName" ? "bad" : "warn"}
            words={t(`notes.${kind}`, number(names.length))}
          >
            <Names names={names} />
          </Note>
        );
      })}
      {counts.failed > 0 && (
        <Note tone="bad" words={t("notes.failed", number(counts.failed))}>
          <Button variant="default" size="compact-sm" onClick={() => session.retry()}>
            {t("notes.retryAll")}
          </Button>
        </Note>
      )}
      {!isAdding &&
        (["partial", "extra"] as const).map(
          (state) =>
            counts[state] > 0 &&
            (hasChosen || state === "partial") && (
              <Note key={state} tone="warn" words={t(`notes.${state}`, number(counts[state]))}>
                <Names names={session.files.slice(state, 0, NAMED).map(({ path }) => path)} all={counts[state]} />
                <Button variant="default" size="compact-sm" onClick={() => removing.mutate(state)}>
                  {t("notes.removeAll")}
                </Button>
              </Note>
            ),
        )}
      {removing.error !== null && <ProblemAlert error={removing.error} />}
    </>
  );
}

function Note({ tone, words, children }: { tone: "bad" | "warn"; words: string; children: ReactNode }) {
  return (
    <div className={classes.note} data-tone={tone} role={tone === "bad" ? "alert" : undefined}>
      <p>{words}</p>
      {children}
    </div>
  );
}

/** The names, folded if there are several. */
function Names({ names, all = names.length }: { names: readonly string[]; all?: number }) {
  const { t } = useTranslation("upload");
  const { count } = useFormats();
  const shown = names.slice(0, NAMED);
  const hidden = all - shown.length;
  return (
    <details className={classes.names} open={all <= 3}>
      <summary>{t("notes.show")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <ul tabIndex={0}>
        {shown.map((name) => (
          <li key={name}>
            <Name>{name}</Name>
          </li>
        ))}
      </ul>
      {hidden > 0 && <Text size="sm">{t("notes.more", { count: hidden, shown: count(hidden) })}</Text>}
    </details>
  );
}
