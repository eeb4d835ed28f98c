import { LONGEST_COMMENT } from "@accession/rules";
import { Group, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Place, Publication } from "../api/publications.ts";
import { useMemberName } from "../metadata-form/useMemberName.ts";
import { ActionError, useActionForm } from "../publication/actions/ActionForm.tsx";
import { InsertTemplate } from "../publication/actions/InsertTemplate.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import "../publication/words.ts";

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

/** The form for a comment about the dataset, a metadata field or a file. */
export function CommentForm({ publication }: { publication: Publication }) {
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
    },
  });
  const isFile = about === FILE;
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (comment.trim() === "" || (isFile && path.trim() === "")) return;
    const place: Place | undefined = about === "" ? undefined : isFile ? { file: path.trim() } : { field: `/${about}` };
    acting.send({ action: "comment", body: { comment: comment.trim(), ...(place !== undefined && { place }) } });
  };
  const missing = isSent && comment.trim() === "" ? t("comment.required") : undefined;
  const missingPath = isSent && path.trim() === "" ? t("comment.pathRequired") : undefined;
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="sm" pt="0.75rem">
        <InsertTemplate text={comment} onChange={setComment} />
        <Textarea
          label={t("comment.label")}
          description={t("comment.hint")}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          error={acting.fieldError("/comment") ?? missing}
          maxLength={LONGEST_COMMENT}
          autosize
        />
        <About value={about} onChange={setAbout} />
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
        <Group>
          <BusyButton type="submit" variant="default" isBusy={acting.isBusy}>
            {t("comment.submit")}
          </BusyButton>
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
