import { LONGEST_COMMENT } from "@accession/rules";
import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Place, Publication, PublicationEntry } from "../api/publications.ts";
import { useMemberName } from "../metadata-form/useMemberName.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { shortName } from "./Account.tsx";
import { ActionError, useActionForm } from "./actions/ActionForm.tsx";
import "./words.ts";

/** The metadata fields that a comment can be about. */
const FIELDS = [
  "title",
  "authors",
  "description",
  "subjects",
  "subjectTerms",
  "language",
  "license",
  "embargoDate",
  "titles",
  "descriptions",
  "relatedIdentifiers",
  "fundingReferences",
  "dates",
  "geoLocations",
  "resourceTypeGeneral",
  "versionLabel",
  "alternateIdentifiers",
  "licenses",
  "acknowledgements",
  "contact",
  "fields",
] as const;
const FILE = "file";

interface Props {
  publication: Publication;
  field: RefObject<HTMLTextAreaElement | null>;
  /** The entry that the comment answers. */
  answered: PublicationEntry | undefined;
  onAnswered: () => void;
}

/** A comment about the dataset, a metadata field or a file, or an answer to another comment. */
export function CommentForm({ publication, field, answered, onAnswered }: Props) {
  const { t } = useTranslation("publication");
  const [comment, setComment] = useState("");
  const [about, setAbout] = useState("");
  const [path, setPath] = useState("");
  const [isSent, setSent] = useState(false);
  const acting = useActionForm(publication, {
    isCurrent: true,
    onDone: () => {
      setComment("");
      setAbout("");
      setPath("");
      setSent(false);
      onAnswered();
    },
  });
  const isFile = about === FILE && answered === undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (comment.trim() === "" || (isFile && path.trim() === "")) return;
    const place: Place | undefined = about === "" ? undefined : isFile ? { file: path.trim() } : { field: `/${about}` };
    acting.send({
      action: "comment",
      body: {
        comment: comment.trim(),
        ...(answered === undefined ? place !== undefined && { place } : { answers: answered.id }),
      },
    });
  };
  const missing = isSent && comment.trim() === "" ? t("comment.required") : undefined;
  const missingPath = isSent && path.trim() === "" ? t("comment.pathRequired") : undefined;
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="sm" pt="0.75rem">
        <Textarea
          ref={field}
          label={
            answered === undefined
              ? t("comment.label")
              : t("comment.answering", { name: shortName(answered.actor ?? "") })
          }
          description={t("comment.hint")}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          error={acting.fieldError("/comment") ?? missing}
          maxLength={LONGEST_COMMENT}
          autosize
        />
        {answered === undefined && <About value={about} onChange={setAbout} />}
        {isFile && (
          <TextInput
            label={t("comment.path")}
            description={t("comment.pathHint")}
            value={path}
            onChange={({ currentTarget }) => setPath(currentTarget.value)}
            error={acting.fieldError("/place/file") ?? missingPath}
            maxLength={4_096}
            spellCheck={false}
          />
        )}
        <ActionError error={acting.error} publication={publication} />
        <Group gap="sm">
          <BusyButton type="submit" variant="default" isBusy={acting.isBusy}>
            {t(answered === undefined ? "comment.submit" : "comment.submitAnswer")}
          </BusyButton>
          {answered !== undefined && (
            <Button
              variant="subtle"
              onClick={() => {
                onAnswered();
                field.current?.focus();
              }}
            >
              {t("comment.notAnswer")}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** What the comment is about. */
function About({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("publication");
  const nameOf = useMemberName();
  return (
    <NativeSelect
      label={t("comment.about")}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[
        { value: "", label: t("comment.whole") },
        { value: FILE, label: t("comment.file") },
        { group: t("comment.fields"), items: FIELDS.map((member) => ({ value: member, label: nameOf(member) })) },
      ]}
    />
  );
}
