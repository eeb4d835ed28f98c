import { LONGEST_COMMENT } from "@accession/rules";
import { Button, Group, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Place, Publication } from "../api/publications.ts";
import { ActionError, useActionForm } from "../publication/actions/ActionForm.tsx";
import { InsertTemplate } from "../publication/actions/InsertTemplate.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import classes from "./Comments.module.css";
import "../publication/words.ts";

interface Props {
  publication: Publication;
  label: string;
  /** The words of the button that sends it. */
  submit: string;
  about: { place: Place } | { answers: number };
  onClose: () => void;
}

/** The form for a comment about something particular, or for an answer. It appears where it was asked for. */
export function CommentBox({ publication, label, submit, about, onClose }: Props) {
  const { t } = useTranslation("publication");
  const [comment, setComment] = useState("");
  const [isSent, setSent] = useState(false);
  const acting = useActionForm(publication, { isCurrent: true, onDone: onClose });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (comment.trim() !== "") acting.send({ action: "comment", body: { comment: comment.trim(), ...about } });
  };
  const missing = isSent && comment.trim() === "" ? t("comment.required") : undefined;
  return (
    <form onSubmit={send} noValidate className={classes.box}>
      <Stack gap="sm">
        <InsertTemplate text={comment} onChange={setComment} />
        <Textarea
          label={label}
          description={t("comment.hint")}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && comment === "" && onClose()}
          error={acting.fieldError("/comment") ?? missing}
          maxLength={LONGEST_COMMENT}
          autosize
          autoFocus
        />
        <ActionError error={acting.error} publication={publication} />
        <Group gap="sm">
          <BusyButton type="submit" variant="default" size="sm" isBusy={acting.isBusy}>
            {submit}
          </BusyButton>
          <Button variant="subtle" size="sm" onClick={onClose}>
            {t("cancel", { ns: "ui" })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
