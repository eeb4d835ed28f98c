import { compareMetadata, LONGEST_REASON } from "@accession/rules";
import { Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { publicationQuery } from "../api/publications.ts";
import { useService } from "../api/service.ts";
import { ChangeList } from "../revisions/ChangeList.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import { DiscardButton } from "./DiscardButton.tsx";
import type { useEdit } from "./useEdit.ts";
import type { useSaving } from "./useSaving.ts";

/** Whether the version whose metadata are edited is published, so that its metadata are public. */
function useIsPublished(id: string, version: number): boolean {
  const isPossible = useService()?.publication !== "off";
  return useQuery({ ...publicationQuery(id, version), enabled: isPossible }).data?.state === "published";
}

interface Props {
  id: string;
  edit: Pick<ReturnType<typeof useEdit>, "base" | "metadata" | "note" | "setNote">;
  saving: Pick<ReturnType<typeof useSaving>, "isSaving" | "isRecorded">;
  heading: RefObject<HTMLHeadingElement | null>;
  onSave: () => void;
  onDiscard: () => void;
  /** Errors and notices. */
  children: ReactNode;
}

/** What the user has changed, field by field, the reason, and the button that saves it. */
export function Changes({ id, edit, saving, heading, onSave, onDiscard, children }: Props) {
  const { t } = useTranslation("edit");
  const { base, metadata, note, setNote } = edit;
  const { isSaving, isRecorded } = saving;
  const changes = useMemo(() => compareMetadata(base.metadata, metadata), [base, metadata]);
  const isPublic = useIsPublished(id, base.version);
  const isChanged = changes.length > 0;
  return (
    <Stack gap="lg" component="section" aria-labelledby="edit-changes">
      <Title order={2} size="h3" id="edit-changes" ref={heading} tabIndex={-1}>
        {t("changes.title")}
      </Title>
      {children}
      {isChanged ? <ChangeList changes={changes} /> : <Text c="dimmed">{t("changes.none")}</Text>}
      <Textarea
        label={t("note.label")}
        description={t("note.detail")}
        maxLength={LONGEST_REASON}
        autosize
        value={note}
        disabled={isSaving}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <Group>
        <BusyButton size="md" isBusy={isSaving} disabled={!isChanged} onClick={onSave}>
          {t("save")}
        </BusyButton>
        {isChanged && !isSaving && <DiscardButton size="md" words={t("discard")} onDiscard={onDiscard} />}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {t(isRecorded ? "recorded" : "after")}
        {!isRecorded && isPublic && ` ${t("afterPublic")}`}
      </Text>
    </Stack>
  );
}
