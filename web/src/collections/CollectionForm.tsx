import { Checkbox, Skeleton, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { curatorsQuery } from "../api/publications.ts";
import { useQueryState } from "../api/service.ts";
import { shortName } from "../publication/Account.tsx";
import { DialogForm } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFieldError } from "../ui/problem/problemWords.ts";
import { visible } from "../ui/text/format.ts";
import { type Collection, type CollectionContent, collectionQuery, useSave } from "./collections.ts";
import "./words.ts";

const ID = /^[a-z0-9][a-z0-9-]{0,62}[a-z0-9]$/;
const LONGEST_ID = 64;
const LONGEST_NAME = 200;
const LONGEST_DESCRIPTION = 10_000;

/** A collection as its form has it. */
interface Draft {
  id: string;
  name: string;
  nameDe: string;
  description: string;
  descriptionDe: string;
  /** Account names; empty for all curators. */
  curators: readonly string[];
  /** SPDX ids, one in a line; empty for all licences. */
  licences: string;
}

const EMPTY: Draft = {
  ...{ id: "", name: "", nameDe: "", description: "", descriptionDe: "" },
  ...{ curators: [], licences: "" },
};

/** Creates a collection. @param props.known those that exist */
export function NewCollection({ known, onClose }: { known: readonly Collection[]; onClose: () => void }) {
  return <Form first={EMPTY} etag={undefined} known={known} onClose={onClose} />;
}

/** Edits a collection. It is fetched first, so that its newest state is shown. */
export function EditCollection({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useQuery(collectionQuery(id));
  const trouble = useQueryState(found);
  if (trouble !== undefined) return <ProblemAlert {...trouble} />;
  if (found.data === undefined) return <Skeleton height={360} aria-hidden />;
  const { collection, etag } = found.data;
  return <Form first={draftOf(collection)} etag={etag} known={[]} onClose={onClose} />;
}

interface FormProps {
  first: Draft;
  /** Of the collection that is edited; undefined for a new one. */
  etag: string | undefined;
  known: readonly Collection[];
  onClose: () => void;
}

function Form({ first, etag, known, onClose }: FormProps) {
  const { t } = useTranslation("collections");
  const [draft, setDraft] = useState(first);
  const [isSent, setSent] = useState(false);
  const { mutate, isPending, error } = useSave(onClose);
  const fieldError = useFieldError(error);
  const isNew = etag === undefined;
  const wrongId = isNew ? idFault(draft.id, known) : undefined;
  const hasName = draft.name.trim() !== "";
  const field = (name: Exclude<keyof Draft, "curators">) => ({
    value: draft[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      setDraft((before) => ({ ...before, [name]: value }));
    },
  });
  const send = () => {
    setSent(true);
    if (wrongId === undefined && hasName) mutate({ id: draft.id, body: contentOf(draft), etag });
  };
  const licenceError = linesOf(draft.licences)
    .map((_, index) => fieldError(`/licences/${index}`))
    .find(Boolean);
  return (
    <DialogForm
      submit={t(isNew ? "form.create" : "form.save")}
      isBusy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      {isNew && (
        <TextInput
          label={t("form.id")}
          description={t("form.idHint")}
          error={isSent && wrongId !== undefined && t(`form.${wrongId}`)}
          maxLength={LONGEST_ID}
          spellCheck={false}
          required
          data-autofocus
          {...field("id")}
        />
      )}
      <TextInput
        label={t("form.name")}
        error={fieldError("/name/en") ?? (isSent && !hasName && t("form.nameRequired"))}
        maxLength={LONGEST_NAME}
        lang="en"
        required
        data-autofocus={!isNew || undefined}
        {...field("name")}
      />
      <TextInput
        label={t("form.nameDe")}
        error={fieldError("/name/de")}
        maxLength={LONGEST_NAME}
        lang="de"
        {...field("nameDe")}
      />
      <Textarea
        label={t("form.description")}
        description={t("form.descriptionHint")}
        error={fieldError("/description/en")}
        maxLength={LONGEST_DESCRIPTION}
        lang="en"
        autosize
        minRows={2}
        {...field("description")}
      />
      <Textarea
        label={t("form.descriptionDe")}
        error={fieldError("/description/de")}
        maxLength={LONGEST_DESCRIPTION}
        lang="de"
        autosize
        minRows={2}
        {...field("descriptionDe")}
      />
      <Curators
        value={draft.curators}
        onChange={(curators) => setDraft((before) => ({ ...before, curators }))}
        error={draft.curators.map((_, index) => fieldError(`/curators/${index}`)).find(Boolean)}
      />
      <Textarea
        label={t("form.licences")}
        description={t("form.licencesHint")}
        error={licenceError}
        spellCheck={false}
        autosize
        {...field("licences")}
      />
    </DialogForm>
  );
}

interface CuratorsProps {
  value: readonly string[];
  onChange: (value: string[]) => void;
  error: string | undefined;
}

/** The curators that the service knows, and chosen ones who have lost the role. Nothing if there are none. */
function Curators({ value, onChange, error }: CuratorsProps) {
  const { t } = useTranslation("collections");
  const { data: curators = [] } = useQuery(curatorsQuery);
  const offered = [...new Set([...curators.map(({ owner }) => owner), ...value])];
  if (offered.length === 0) return null;
  return (
    <Checkbox.Group
      label={t("form.curators")}
      description={t("form.curatorsHint")}
      value={[...value]}
      onChange={onChange}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {offered.map((owner) => (
          <Checkbox key={owner} size="md" value={owner} label={visible(shortName(owner))} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function idFault(id: string, known: readonly Collection[]): "idWrong" | "idTaken" | undefined {
  if (!ID.test(id)) return "idWrong";
  return known.some((one) => one.id === id) ? "idTaken" : undefined;
}

function draftOf({ id, name, description, curators = [], licences }: Collection): Draft {
  return {
    ...{ id, name: name.en, nameDe: name.de ?? "" },
    ...{ description: description.en, descriptionDe: description.de ?? "" },
    ...{ curators, licences: licences.join("\n") },
  };
}

function contentOf({ name, nameDe, description, descriptionDe, curators, licences }: Draft): CollectionContent {
  return {
    name: localText(name, nameDe),
    description: localText(description, descriptionDe),
    curators: [...curators],
    licences: linesOf(licences),
  };
}

function localText(en: string, de: string): { en: string; de?: string } {
  return { en: en.trim(), ...(de.trim() !== "" && { de: de.trim() }) };
}

function linesOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((line) => line !== "");
}
