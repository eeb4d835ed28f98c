import type { Submission } from "@accession/client";
import { Checkbox, ScrollArea, Stack, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useQueryState } from "../api/service.ts";
import { type Unreadable, unreadableQuery } from "../api/submission-files.ts";
import { useExclude } from "../api/submissions.ts";
import { DialogForm } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFieldError, useProblemWords } from "../ui/problem/problemWords.ts";
import { useFormats } from "../ui/text/format.ts";
import { Name } from "../ui/text/Name.tsx";

interface UnreadableChoiceProps {
  objects: readonly Unreadable[];
  /** Keys that are not excluded. */
  kept: ReadonlySet<string>;
  onChange: (kept: ReadonlySet<string>) => void;
}

/** The maximum number of objects with separate check boxes. */
const NAMED = 100;

/** Excludes unreadable objects, all of them or a selection. A reason is required. */
export function ExcludeForm({ submission: { id }, onClose }: { submission: Submission; onClose: () => void }) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  const unreadable = useQuery(unreadableQuery(id));
  const trouble = useQueryState(unreadable);
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState("");
  const [isSent, setSent] = useState(false);
  const exclude = useExclude(id);
  const fieldError = useFieldError(exclude.error);
  const keys = (unreadable.data ?? []).map(({ key }) => key).filter((key) => !kept.has(key));
  const send = () => {
    setSent(true);
    if (reason.trim() === "" || keys.length === 0) return;
    exclude.mutate({ keys, reason: reason.trim() }, { onSuccess: onClose });
  };
  const missing = isSent && reason.trim() === "" ? t("reasonRequired", { ns: "ui" }) : undefined;
  return (
    <DialogForm
      submit={t("exclude.submit", { count: keys.length, shown: count(keys.length) })}
      isBusy={exclude.isPending}
      isPossible={unreadable.data !== undefined}
      error={exclude.error}
      onSend={send}
      onClose={onClose}
    >
      <Text size="sm">{t("exclude.detail")}</Text>
      {unreadable.data === undefined && trouble === undefined && <Text>{t("exclude.loading")}</Text>}
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {unreadable.data !== undefined && <UnreadableChoice objects={unreadable.data} kept={kept} onChange={setKept} />}
      {isSent && unreadable.data !== undefined && keys.length === 0 && (
        <Text c="error" size="sm" role="alert">
          {t("exclude.noneChosen")}
        </Text>
      )}
      <Textarea
        label={t("exclude.reason")}
        description={t("exclude.reasonHint")}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={fieldError("/reason") ?? missing}
        maxLength={2_000}
        required
        data-autofocus
      />
    </DialogForm>
  );
}

/** The unreadable objects with check boxes; all are selected at first. */
function UnreadableChoice({ objects, kept, onChange }: UnreadableChoiceProps) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  const toggle = (key: string) => {
    const next = new Set(kept);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  const all = () => onChange(kept.size === 0 ? new Set(objects.map(({ key }) => key)) : new Set());
  const more = objects.slice(NAMED).filter(({ key }) => !kept.has(key)).length;
  const wordsOf = useProblemWords();
  return (
    <Stack gap="xs">
      <Checkbox
        label={t("exclude.all", { count: objects.length, shown: count(objects.length) })}
        checked={kept.size === 0}
        indeterminate={kept.size > 0 && kept.size < objects.length}
        onChange={all}
        fw={600}
      />
      <ScrollArea.Autosize
        mah="15rem"
        type="auto"
        viewportProps={{ tabIndex: 0, role: "group", "aria-label": t("exclude.objects") }}
      >
        <Stack gap="xs" pl="xl">
          {objects.slice(0, NAMED).map(({ key, code, message }) => (
            <Checkbox
              key={key}
              label={<Name>{key}</Name>}
              description={wordsOf(code)?.title ?? message}
              checked={!kept.has(key)}
              onChange={() => toggle(key)}
              styles={{ label: { overflowWrap: "anywhere" } }}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t("exclude.more", { count: more, shown: count(more) })}
        </Text>
      )}
    </Stack>
  );
}
