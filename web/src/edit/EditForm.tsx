import { Button, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { remarksOf } from "../api/intake.ts";
import type { MetadataState } from "../api/revisions.ts";
import { MetadataFormContext } from "../metadata-form/context.ts";
import { focusField } from "../metadata-form/focusField.ts";
import { isListName } from "../metadata-form/lists.ts";
import { useMemberName } from "../metadata-form/useMemberName.ts";
import { FormErrorList } from "../new/FormErrorList.tsx";
import { ChangeList } from "../revisions/ChangeList.tsx";
import { compareMetadata } from "../revisions/compare-metadata.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { lazyLoaded } from "../ui/lazyLoaded.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { NewerMetadata } from "./NewerMetadata.tsx";
import { Notice } from "./Notice.tsx";
import { useEdit } from "./useEdit.ts";
import { useMetadataErrors } from "./useMetadataErrors.ts";
import { isConflict, useSaving } from "./useSaving.ts";

// The same chunks as in the form for submissions.
const DescriptionPart = lazyLoaded(() => import("../metadata-form/description/DescriptionPart.tsx"));
const AuthorsPart = lazyLoaded(() => import("../metadata-form/authors/AuthorsPart.tsx"));

interface Props {
  id: string;
  /** The storage key of the edit. */
  place: string;
  latest: MetadataState;
}

/** The form for the metadata of a dataset, with the changes that will be saved. */
export function EditForm({ id, place, latest }: Props) {
  const { t } = useTranslation(["edit", "new"]);
  const { base, entries, note, metadata, ...edit } = useEdit(place, latest);
  const saving = useSaving(id, edit.finish);
  const found = useMetadataErrors(entries, metadata, saving.rejected);
  const [openEntries, setOpenEntries] = useState<ReadonlySet<string>>(new Set());
  const setOpen = useCallback((entry: string, isOpen: boolean) => {
    setOpenEntries((open) => {
      const others = [...open].filter((one) => one !== entry);
      return new Set(isOpen ? [...others, entry] : others);
    });
  }, []);
  const [target, setTarget] = useState<{ pointer: string }>();
  const goToField = (pointer: string) => {
    const [, , list = "", index] = pointer.split("/");
    const listed = list === "authors" ? entries.authors : isListName(list) ? entries.lists[list] : [];
    const entry = listed[Number(index)];
    if (entry !== undefined) setOpen(entry.id, true);
    setTarget({ pointer });
  };
  useEffect(() => {
    // The fields of the entry have appeared by now.
    if (target !== undefined) focusField(target.pointer);
  }, [target]);
  const [conflicts, setConflicts] = useState<readonly string[]>([]);
  const nameOf = useMemberName();
  const summary = useRef<HTMLDivElement>(null);
  const changes = compareMetadata(base.metadata, metadata);
  const save = () => {
    if (found.formErrors.length > 0) {
      found.reveal();
      summary.current?.focus();
    } else saving.save(metadata, note.trim(), base);
  };
  const { error } = saving;
  const isOwnError = error !== null && !isConflict(error) && remarksOf(error).length === 0;
  return (
    <MetadataFormContext
      value={{ name: `edit ${id}`, draft: entries, ...edit, ...found, goToField, openEntries, setOpen }}
    >
      {latest.etag !== base.etag && !saving.isSaving && (
        <NewerMetadata
          base={base}
          latest={latest}
          onApply={() => {
            saving.forget();
            setConflicts(edit.rebaseOn(latest));
          }}
          onDiscard={() => {
            saving.forget();
            edit.restart(latest);
          }}
        />
      )}
      {conflicts.length > 0 && <Notice>{t("newer.conflicts", { members: conflicts.map(nameOf).join(", ") })}</Notice>}
      <Stack gap="lg" component="section" aria-labelledby="edit-description">
        <Title order={2} size="h3" id="edit-description">
          {t("new:parts.description")}
        </Title>
        <DescriptionPart />
      </Stack>
      <Stack gap="lg" component="section" aria-labelledby="edit-authors">
        <Title order={2} size="h3" id="edit-authors">
          {t("new:parts.authors")}
        </Title>
        <AuthorsPart />
      </Stack>
      <Stack gap="lg" component="section" aria-labelledby="edit-changes">
        <Title order={2} size="h3" id="edit-changes">
          {t("changes.title")}
        </Title>
        <div ref={summary} tabIndex={-1}>
          {isOwnError && <ProblemAlert error={error} />}
          {found.formErrors.length > 0 && <FormErrorList formErrors={found.formErrors} isUrgent={found.isRevealed} />}
        </div>
        {changes.length === 0 ? <Text c="dimmed">{t("changes.none")}</Text> : <ChangeList changes={changes} />}
        <Textarea
          label={t("note.label")}
          description={t("note.detail")}
          maxLength={2_000}
          autosize
          minRows={2}
          value={note}
          onChange={({ currentTarget }) => edit.setNote(currentTarget.value)}
        />
        {!edit.isKept && <Notice>{t("notStored")}</Notice>}
        <Group>
          <BusyButton size="md" isBusy={saving.isSaving} disabled={changes.length === 0} onClick={save}>
            {t("save")}
          </BusyButton>
          {changes.length > 0 && !saving.isSaving && (
            <Button variant="subtle" size="md" onClick={() => edit.restart(latest)}>
              {t("discard")}
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed" role="status">
          {saving.isWaiting ? t("waiting") : t("after")}
        </Text>
      </Stack>
    </MetadataFormContext>
  );
}
