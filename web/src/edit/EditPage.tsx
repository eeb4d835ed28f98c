import { compareMetadata } from "@accession/rules";
import { Anchor, Box, Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAddress } from "../api/browser/address.ts";
import { remarksOf } from "../api/intake.ts";
import { publicationQuery } from "../api/publications.ts";
import { type MetadataState, metadataStateQuery, type Revision, revisionsQuery } from "../api/revisions.ts";
import { useOwner, useQueryState, useService } from "../api/service.ts";
import { Comments } from "../comments/Comments.tsx";
import { useOpenComments } from "../comments/context.ts";
import { MetadataFormContext, useOpenEntries } from "../metadata-form/context.ts";
import type { MetadataEntries } from "../metadata-form/entries/entries.ts";
import { entryAt, focusField } from "../metadata-form/entries/pointers.ts";
import { FormErrorList } from "../metadata-form/errors/FormErrorList.tsx";
import { Hints } from "../metadata-form/hints/Hints.tsx";
import { useMemberName } from "../metadata-form/useMemberName.ts";
import { ChangeList } from "../revisions/ChangeList.tsx";
import { type LazyComponent, lazyLoaded, useLazy } from "../ui/lazyLoaded.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { visible, visibleLines } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import { Changes } from "./Changes.tsx";
import { DiscardButton } from "./DiscardButton.tsx";
import { Notice } from "./Notice.tsx";
import { placeOfEdit, useEdit } from "./useEdit.ts";
import { useMetadataErrors } from "./useMetadataErrors.ts";
import { isConflict, useSaving } from "./useSaving.ts";

/** The page on which the owner of a dataset, curators and admins change its metadata. */
export default function EditPage({ id }: { id: string }) {
  const { t } = useTranslation("edit");
  const owner = useOwner();
  const asked = useQuery(metadataStateQuery(id));
  const trouble = useQueryState(asked);
  const isReviewed = (useService()?.publication ?? "off") !== "off" && asked.data !== undefined;
  const publication = useQuery({ ...publicationQuery(id, asked.data?.version ?? 0), enabled: isReviewed }).data;
  return (
    <Stack gap="xl" maw="44rem">
      <PageHeading title={t("edit")}>
        <Anchor component={Link} href={`/datasets/${id}`}>
          {t("toDataset")}
        </Anchor>
      </PageHeading>
      {trouble !== undefined && asked.data === undefined && <ProblemAlert {...trouble} />}
      {asked.isPending && <Skeleton height="70vh" />}
      {asked.data !== undefined && owner !== undefined && (
        <Comments publication={publication} canAdd={false}>
          <EditForm id={id} place={placeOfEdit(owner, id)} latest={asked.data} />
        </Comments>
      )}
    </Stack>
  );
}

/** Loaded on demand, because few datasets that are changed have comments. */
const OpenCommentList = lazyLoaded(() => import("../comments/OpenCommentList.tsx"));

/** Loaded on demand, because the form for submissions loads them on demand too. */
const PARTS = {
  description: lazyLoaded(() => import("../metadata-form/description/DescriptionPart.tsx")),
  authors: lazyLoaded(() => import("../metadata-form/authors/AuthorsPart.tsx")),
} as const;

interface EditFormProps {
  id: string;
  /** The storage key of the edit. */
  place: string;
  latest: MetadataState;
}

/** The form for the metadata of a dataset, with the changes that will be saved. */
function EditForm({ id, place, latest }: EditFormProps) {
  const { t } = useTranslation(["edit", "new"]);
  const edit = useEdit(place, latest);
  const { base, entries, metadata, note, kept } = edit;
  const saving = useSaving(id, edit.finish);
  const found = useMetadataErrors(id, entries, metadata, saving.rejected);
  const fields = useFields(entries);
  const comments = useOpenComments();
  const [conflicts, setConflicts] = useState<readonly string[]>([]);
  const nameOf = useMemberName();
  const summary = useRef<HTMLDivElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const save = () => {
    if (found.formErrors.length > 0) found.reveal();
    else saving.save({ metadata, note: note.trim(), base });
    summary.current?.focus();
  };
  const { error } = saving;
  useEffect(() => {
    if (error !== null) summary.current?.focus();
  }, [error]);
  const isRefused = isConflict(error);
  const isOwnError = error !== null && remarksOf(error).length === 0 && !(isRefused && edit.isOutdated);
  const startAgain = () => {
    saving.forget();
    setConflicts([]);
    edit.restart(latest);
    heading.current?.focus();
  };
  return (
    <MetadataFormContext value={{ name: `edit ${id}`, draft: entries, ...edit, ...found, ...fields }}>
      {edit.isOutdated && !saving.isSaving && (
        <NewerMetadata
          id={id}
          base={base}
          latest={latest}
          isRefused={isRefused}
          onApply={() => {
            saving.forget();
            setConflicts(edit.rebaseOn(latest));
            heading.current?.focus();
          }}
          onDiscard={startAgain}
        />
      )}
      {comments !== undefined && (
        <OpenCommentList comments={comments} goToField={(pointer) => fields.goToField(`/metadata${pointer}`)} />
      )}
      <Box component="fieldset" m={0} p={0} bd="0" miw={0} disabled={saving.isSaving} aria-label={t("edit")}>
        <Stack gap="2rem">
          <Part name="description" onShown={fields.countPart} />
          <Part name="authors" onShown={fields.countPart} />
        </Stack>
      </Box>
      <Hints order={2} />
      <Changes id={id} edit={edit} saving={saving} heading={heading} onSave={save} onDiscard={startAgain}>
        {conflicts.length > 0 && <Notice>{t("newer.conflicts", { members: conflicts.map(nameOf).join(", ") })}</Notice>}
        {kept !== "kept" && (
          <Notice>
            {t(`storage.${kept}`)}{" "}
            {kept === "elsewhere" && (
              <Button variant="subtle" size="compact-sm" onClick={edit.follow}>
                {t("storage.follow")}
              </Button>
            )}
          </Notice>
        )}
        <div ref={summary} tabIndex={-1}>
          {isOwnError && (
            <Stack gap="sm">
              <ProblemAlert error={error} />
              <Text>{t("notSaved")}</Text>
            </Stack>
          )}
          {found.formErrors.length > 0 && (
            <FormErrorList
              title={t("errors", { count: found.formErrors.length })}
              formErrors={found.formErrors}
              isUrgent={found.isRevealed}
            />
          )}
        </div>
      </Changes>
    </MetadataFormContext>
  );
}

/** The expanded entries of the form, and a function that moves the focus to a field. */
function useFields(entries: MetadataEntries) {
  const { openEntries, setOpen } = useOpenEntries();
  const [params] = useAddress();
  const [parts, setParts] = useState(0);
  const countPart = useCallback(() => setParts((before) => before + 1), []);
  const [target, setTarget] = useState<{ pointer: string }>();
  useEffect(() => {
    // The fields of the entry have appeared by now.
    if (target !== undefined) focusField(target.pointer);
  }, [target]);
  const goToField = (pointer: string) => {
    const entry = entryAt(entries, pointer);
    if (entry !== undefined) setOpen(entry.id, true);
    setTarget({ pointer });
  };
  // A link to one field of the form, such as that of a comment. Used once, when all fields are shown.
  const wanted = parts === Object.keys(PARTS).length ? params.get("field") : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: later changes of the form do not move the focus.
  useEffect(() => {
    if (wanted !== null) goToField(`/metadata${wanted}`);
  }, [wanted]);
  return { openEntries, setOpen, goToField, countPart };
}

function Part({ name, onShown }: { name: keyof typeof PARTS; onShown: () => void }) {
  const { t } = useTranslation("new");
  const part: LazyComponent<object> = PARTS[name];
  const Content = useLazy(part);
  const isShown = Content !== undefined;
  useEffect(() => {
    if (isShown) onShown();
  }, [isShown, onShown]);
  return (
    <Stack gap="lg" component="section" aria-labelledby={`edit-${name}`}>
      <Title order={2} size="h3" id={`edit-${name}`}>
        {t(`parts.${name}`)}
      </Title>
      {Content === undefined ? <Skeleton height="40vh" /> : <Content />}
    </Stack>
  );
}

interface Props {
  id: string;
  base: MetadataState;
  latest: MetadataState;
  /** The user has tried to save. */
  isRefused: boolean;
  /** Applies the user's changes to the latest metadata. */
  onApply: () => void;
  onDiscard: () => void;
}

/** Says who has changed the metadata since the edit began, what they changed, and what the user can do. */
function NewerMetadata({ id, base, latest, isRefused, onApply, onDiscard }: Props) {
  const { t } = useTranslation("edit");
  const { data = [] } = useQuery(revisionsQuery(id, latest.version));
  const since = data.filter(({ version, revision }) => version !== base.version || revision > base.revision);
  return (
    <Notice title={t("newer.title")} isAnswer={isRefused}>
      <Stack gap="sm">
        {(since.length > 0 ? since : [latest]).map((revision) => (
          <ByWhom key={revision.revision} revision={revision} />
        ))}
        <ChangeList changes={compareMetadata(base.metadata, latest.metadata)} />
        <Text inherit>{t("newer.detail")}</Text>
        <Group>
          <Button size="xs" onClick={onApply}>
            {t("newer.apply")}
          </Button>
          <DiscardButton size="xs" words={t("newer.discard")} onDiscard={onDiscard} />
        </Group>
      </Stack>
    </Notice>
  );
}

function ByWhom({ revision: { changedBy, changedAt, note } }: { revision: Revision }) {
  const { t } = useTranslation("edit");
  return (
    <Text inherit>
      <Trans
        t={t}
        i18nKey={changedBy === "" ? "newer.byService" : "newer.by"}
        values={{ by: visible(changedBy) }}
        components={{ at: <DateTime iso={changedAt} /> }}
      />
      {note !== "" && <bdi>{` “${visibleLines(note)}”`}</bdi>}
    </Text>
  );
}
