import { LONGEST_COMMENT, LONGEST_REASON } from "@accession/rules";
import { Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AccessWords } from "../PublicationFacts.tsx";
import { ActionForm, type ActionFormProps, useActionForm } from "./ActionForm.tsx";
import { InsertTemplate } from "./InsertTemplate.tsx";
import { SinceLastReview } from "./SinceLastReview.tsx";
import "../words.ts";

/** The decisions that consist of a confirmation and a text. */
export const DECISIONS = ["approve", "request-changes", "decline", "publish", "take-back", "withdraw"] as const;
type Decision = (typeof DECISIONS)[number];

/** Decisions after which the files can become public. */
const SHOWS_ACCESS: readonly Decision[] = ["approve", "publish"];

/** Says what a decision leads to, and asks for a comment or a reason. */
export function DecisionForm({ decision, publication, onDone, ...form }: ActionFormProps & { decision: Decision }) {
  const { t } = useTranslation("publication");
  const [text, setText] = useState("");
  const [isSent, setSent] = useState(false);
  const acting = useActionForm(publication, { onDone });
  const isPublic = decision === "withdraw";
  const needsComment = decision === "request-changes" || decision === "decline";
  const isRequired = isPublic || needsComment;
  const { version, revision, publishOnApproval } = publication;
  const open = publication.comments.total - publication.comments.resolved;
  const comment = text.trim();
  const isMissing = isRequired && comment === "";
  const send = () => {
    setSent(true);
    if (isMissing) return;
    if (decision === "withdraw") acting.send({ action: decision, body: { reason: comment } });
    else if (needsComment) acting.send({ action: decision, body: { comment } });
    else acting.send({ action: decision, body: comment === "" ? {} : { comment } });
  };
  return (
    <ActionForm
      {...form}
      publication={publication}
      action={decision}
      acting={acting}
      isDangerous={isPublic}
      onSend={send}
    >
      <Text>
        {t(`decision.${decision}.detail`, { revision, version })}{" "}
        {decision === "approve" && t(publishOnApproval ? "decision.approveThenPublish" : "decision.approveThenOwner")}
      </Text>
      {SHOWS_ACCESS.includes(decision) && (
        <Text>
          {t("facts.access")}: <AccessWords publication={publication} />
        </Text>
      )}
      {decision === "approve" && <SinceLastReview publication={publication} />}
      {decision === "approve" && open > 0 && <Text>{t("comment.unresolved", { count: open })}</Text>}
      {needsComment && <InsertTemplate text={text} onChange={setText} />}
      <Textarea
        label={t(isPublic ? "decision.reason" : isRequired ? "decision.comment" : "decision.commentOptional")}
        description={isPublic ? undefined : t("comment.hint")}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        error={
          acting.fieldError(isPublic ? "/reason" : "/comment") ??
          (isSent && isMissing && t(isPublic ? "access.reasonRequired" : "comment.required"))
        }
        maxLength={isPublic ? LONGEST_REASON : LONGEST_COMMENT}
        required={isRequired}
        autosize
        minRows={3}
        // Otherwise the dialog is read from its beginning.
        data-autofocus={isRequired || undefined}
      />
    </ActionForm>
  );
}
