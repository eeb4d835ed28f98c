import { LONGEST_COMMENT, LONGEST_REASON } from "@accession/rules";
import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Publication } from "../../api/publications.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { AccessWords } from "../PublicationFacts.tsx";
import { ActionError } from "./ActionError.tsx";
import { Impossible } from "./Impossible.tsx";
import { useActing } from "./useActing.ts";

/** The decisions that consist of a confirmation and a text. */
export const DECISIONS = ["approve", "request-changes", "decline", "publish", "take-back", "withdraw"] as const;
export type Decision = (typeof DECISIONS)[number];

const NEEDS_COMMENT: readonly Decision[] = ["request-changes", "decline"];

/** Decisions after which the files can become public. */
const SHOWS_ACCESS: readonly Decision[] = ["approve", "publish"];

interface Props {
  decision: Decision;
  /** The label of the button that takes the decision. */
  submit: string;
  publication: Publication;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Says what a decision leads to, and asks for a comment or a reason. */
export function DecisionDialog({ isOpen, ...props }: Props) {
  const { t } = useTranslation("publication");
  return (
    <Dialog isOpen={isOpen} title={t(`decision.${props.decision}.title`)} onClose={props.onClose}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ decision, submit, publication, onClose, onDone }: Omit<Props, "isOpen">) {
  const { t } = useTranslation("publication");
  const { t: ui } = useTranslation("ui");
  const [text, setText] = useState("");
  const [isSent, setSent] = useState(false);
  const acting = useActing(publication, { onDone });
  const isPublic = decision === "withdraw";
  const isRequired = isPublic || NEEDS_COMMENT.includes(decision);
  const { version, revision, publishOnApproval, actions } = publication;
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    const said = text.trim();
    if (isRequired && said === "") return;
    if (decision === "withdraw") acting.send({ action: decision, body: { reason: said } });
    else if (decision === "request-changes" || decision === "decline")
      acting.send({ action: decision, body: { comment: said } });
    else acting.send({ action: decision, body: said === "" ? {} : { comment: said } });
  };
  const missing = isSent && isRequired && text.trim() === "";
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text>
          {t(`decision.${decision}.detail`, { revision, version })}{" "}
          {decision === "approve" && t(publishOnApproval ? "decision.approveThenPublish" : "decision.approveThenOwner")}
        </Text>
        {SHOWS_ACCESS.includes(decision) && (
          <Text>
            {t("facts.access")}: <AccessWords publication={publication} />
          </Text>
        )}
        <Textarea
          label={t(isPublic ? "decision.reason" : isRequired ? "decision.comment" : "decision.commentOptional")}
          description={isPublic ? undefined : t("comment.hint")}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={
            acting.fieldError(isPublic ? "/reason" : "/comment") ??
            (missing && t(isPublic ? "decision.reasonRequired" : "decision.required"))
          }
          maxLength={isPublic ? LONGEST_REASON : LONGEST_COMMENT}
          required={isRequired}
          autosize
          minRows={3}
          maxRows={12}
          data-autofocus
        />
        <ActionError error={acting.error} publication={publication} />
        <Impossible isShown={!actions.includes(decision)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui("cancel")}
          </Button>
          <BusyButton
            type="submit"
            color={isPublic ? "red.9" : "pine"}
            isBusy={acting.isBusy}
            disabled={!actions.includes(decision)}
          >
            {submit}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
