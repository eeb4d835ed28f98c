import type { components } from "@accession/client";
import { LONGEST_COMMENT } from "@accession/rules";
import { Checkbox, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { agreementQuery } from "../../api/publications.ts";
import { useQueryState, useService } from "../../api/service.ts";
import { ProblemAlert, TroubleAlert } from "../../ui/problem/ProblemAlert.tsx";
import { RadioChoice } from "../../ui/RadioChoice.tsx";
import { Scrollable } from "../../ui/Section.tsx";
import { visibleLines } from "../../ui/text/format.ts";
import { Finding } from "../Checks.tsx";
import { blocksOf } from "../markdown.ts";
import classes from "../Publication.module.css";
import { AccessFields, bodyOf, choiceOf, mistakesIn } from "./AccessFields.tsx";
import { ActionForm, type ActionFormProps, useActionForm } from "./ActionForm.tsx";
import { CollectionsField } from "./CollectionsField.tsx";
import "../words.ts";

/** Requests publication: access, time of publication, deposit agreement and a comment. */
export function RequestForm({ publication, onDone, ...form }: ActionFormProps) {
  const { t } = useTranslation("publication");
  const isDirect = useService()?.publication === "direct";
  const agreement = useAgreement();
  const [choice, setChoice] = useState(() => choiceOf(publication));
  const [onApproval, setOnApproval] = useState(publication.publishOnApproval);
  const [showSource, setShowSource] = useState(publication.showSource);
  const [collections, setCollections] = useState(publication.collections);
  const [isAccepted, setAccepted] = useState(false);
  const [comment, setComment] = useState("");
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const acting = useActionForm(publication, { onDone });
  const open = publication.comments.total - publication.comments.resolved;
  const errors = publication.checks.filter(({ severity }) => severity === "error");
  const send = () => {
    setSent(true);
    if (agreement.text === undefined || !isAccepted || mistakesIn(choice, false).length > 0) return;
    acting.send({
      action: "request",
      body: {
        agreement: agreement.text.sha256,
        ...bodyOf(choice),
        publishOnApproval: onApproval,
        showSource,
        ...(collections.length > 0 && { collections }),
        ...(comment.trim() !== "" && { comment: comment.trim() }),
        ...(email.trim() !== "" && { notify: { email: email.trim() } }),
      },
    });
  };
  return (
    <div className={classes.request}>
      <ActionForm
        {...form}
        publication={publication}
        action="request"
        acting={acting}
        isPossible={agreement.text !== undefined}
        gap="lg"
        onSend={send}
      >
        <Text>{t(isDirect ? "request.detailDirect" : "request.detail")}</Text>
        {open > 0 && <Text>{t("comment.unresolved", { count: open })}</Text>}
        {errors.length > 0 && (
          <TroubleAlert tone="warn" trouble={{ title: t("request.notReady") }}>
            {errors.map((check) => (
              <p key={check.code}>
                <Finding check={check} />
              </p>
            ))}
          </TroubleAlert>
        )}
        <AccessFields
          choice={choice}
          onChange={setChoice}
          isChange={false}
          isSent={isSent}
          fieldError={acting.fieldError}
        />
        <RadioChoice
          label={t("facts.moment")}
          choices={[
            { value: "approval", label: t(isDirect ? "request.onApprovalDirect" : "request.onApproval") },
            { value: "owner", label: t("request.byOwner"), description: t("request.byOwnerHint") },
          ]}
          value={onApproval ? "approval" : "owner"}
          onChange={(value) => setOnApproval(value === "approval")}
        />
        <Checkbox
          size="md"
          label={t("request.showSource")}
          description={t("request.showSourceHint")}
          checked={showSource}
          onChange={({ currentTarget }) => setShowSource(currentTarget.checked)}
        />
        {!isDirect && (
          <CollectionsField
            value={collections}
            onChange={setCollections}
            error={collections.map((_, index) => acting.fieldError(`/collections/${index}`)).find(Boolean)}
          />
        )}
        <Textarea
          label={t(isDirect ? "decision.commentOptional" : "request.comment")}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          error={acting.fieldError("/comment")}
          maxLength={LONGEST_COMMENT}
          autosize
        />
        <NotifyField value={email} onChange={setEmail} error={acting.fieldError("/notify/email")} />
        {agreement.trouble !== undefined && <ProblemAlert {...agreement.trouble} />}
        {agreement.text === undefined && agreement.trouble === undefined && <Text>{t("request.loading")}</Text>}
        {agreement.text !== undefined && (
          <Scrollable label={t("facts.agreement")} className={classes.agreement}>
            <AgreementText agreement={agreement.text} />
          </Scrollable>
        )}
        <Checkbox
          size="md"
          label={t("request.accept")}
          checked={isAccepted}
          onChange={({ currentTarget }) => setAccepted(currentTarget.checked)}
          error={acting.fieldError("/agreement") ?? (isSent && !isAccepted && t("request.acceptRequired"))}
          disabled={agreement.text === undefined}
          required
        />
      </ActionForm>
    </div>
  );
}

interface NotifyProps {
  value: string;
  onChange: (email: string) => void;
  error: string | undefined;
}

/** The address for mails about the publication, if the service sends mail. */
function NotifyField({ value, onChange, error }: NotifyProps) {
  const { t } = useTranslation("publication");
  const service = useService();
  if (service?.sendsMail !== true) return null;
  const isKnown = service.signIn.method === "oidc";
  return (
    <TextInput
      type="email"
      autoComplete="email"
      label={t("request.email")}
      description={`${t("request.emailHint")}${isKnown ? ` ${t("request.emailAccount")}` : ""}`}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
    />
  );
}

/** The deposit agreement in the language of the page, or in the default language of the service. */
function useAgreement() {
  const { i18n } = useTranslation();
  const query = useQuery(agreementQuery);
  const trouble = useQueryState(query);
  const texts = query.data;
  const text = texts?.find(({ language }) => language.split("-")[0] === i18n.language) ?? texts?.[0];
  return { text, trouble };
}

/** A deposit agreement. Headings, lists and paragraphs are formatted; other Markdown is shown as it is written. */
function AgreementText({ agreement }: { agreement: components["schemas"]["DepositAgreement"] }) {
  const blocks = blocksOf(visibleLines(agreement.text));
  return (
    <div lang={agreement.language}>
      {blocks.map((block) => {
        const key = `${block.kind} ${block.line}`;
        if (block.kind === "heading") {
          return (
            <Title key={key} order={3} size="h5">
              {block.text}
            </Title>
          );
        }
        if (block.kind === "paragraph") return <p key={key}>{block.text}</p>;
        const items = block.items.map(({ text, line }) => <li key={line}>{text}</li>);
        return block.kind === "numbered" ? (
          <ol key={key} start={block.start}>
            {items}
          </ol>
        ) : (
          <ul key={key}>{items}</ul>
        );
      })}
    </div>
  );
}
