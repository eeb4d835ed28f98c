import { LONGEST_COMMENT } from "@accession/rules";
import { Button, Checkbox, Group, Radio, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { agreementQuery, type Publication } from "../../api/publications.ts";
import { useQueryState, useService } from "../../api/service.ts";
import { Scrollable } from "../../dataset/Section.tsx";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ProblemAlert, TroubleAlert } from "../../ui/ProblemAlert.tsx";
import { Finding } from "../Checks.tsx";
import classes from "../Publication.module.css";
import { AccessFields } from "./AccessFields.tsx";
import { ActionError } from "./ActionError.tsx";
import { AgreementText } from "./AgreementText.tsx";
import { bodyOf, choiceOf, mistakesIn } from "./access-choice.ts";
import { Impossible } from "./Impossible.tsx";
import { useActing } from "./useActing.ts";

interface Props {
  publication: Publication;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Requests publication: access, time of publication, deposit agreement and a comment. */
export function RequestDialog({ isOpen, ...props }: Props) {
  const { t } = useTranslation("publication");
  const isDirect = useService()?.publication === "direct";
  return (
    <Dialog
      isOpen={isOpen}
      title={t(isDirect ? "request.titleDirect" : "request.title")}
      size="lg"
      isGrowing
      onClose={props.onClose}
    >
      <Form isDirect={isDirect} {...props} />
    </Dialog>
  );
}

function Form({ isDirect, publication, onClose, onDone }: Omit<Props, "isOpen"> & { isDirect: boolean }) {
  const { t } = useTranslation("publication");
  const { t: ui } = useTranslation("ui");
  const agreement = useAgreement();
  const [choice, setChoice] = useState(() => choiceOf(publication));
  const [onApproval, setOnApproval] = useState(publication.publishOnApproval);
  const [showSource, setShowSource] = useState(publication.showSource);
  const [isAccepted, setAccepted] = useState(false);
  const [comment, setComment] = useState("");
  const [email, setEmail] = useState("");
  const [isSent, setSent] = useState(false);
  const acting = useActing(publication, { onDone });
  const isPossible = publication.actions.includes("request");
  const errors = publication.checks.filter(({ severity }) => severity === "error");
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (agreement.text === undefined || !isAccepted || mistakesIn(choice, false).length > 0) return;
    acting.send({
      action: "request",
      body: {
        agreement: agreement.text.sha256,
        ...bodyOf(choice),
        publishOnApproval: onApproval,
        showSource,
        ...(comment.trim() !== "" && { comment: comment.trim() }),
        ...(email.trim() !== "" && { notify: { email: email.trim() } }),
      },
    });
  };
  return (
    <form onSubmit={send} noValidate className={classes.request}>
      <Stack gap="lg">
        <Text>{t(isDirect ? "request.detailDirect" : "request.detail")}</Text>
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
        <Radio.Group
          size="md"
          label={t("request.when")}
          value={onApproval ? "approval" : "owner"}
          onChange={(value) => setOnApproval(value === "approval")}
        >
          <Stack gap="xs" mt="xs">
            <Radio size="md" value="approval" label={t(isDirect ? "request.onApprovalDirect" : "request.onApproval")} />
            <Radio size="md" value="owner" label={t("request.byOwner")} description={t("request.byOwnerHint")} />
          </Stack>
        </Radio.Group>
        <Checkbox
          size="md"
          label={t("request.showSource")}
          description={t("request.showSourceHint")}
          checked={showSource}
          onChange={({ currentTarget }) => setShowSource(currentTarget.checked)}
        />
        <Textarea
          label={t(isDirect ? "request.commentDirect" : "request.comment")}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          error={acting.fieldError("/comment")}
          maxLength={LONGEST_COMMENT}
          autosize
          minRows={2}
          maxRows={8}
        />
        <NotifyField value={email} onChange={setEmail} error={acting.fieldError("/notify/email")} />
        {agreement.trouble !== undefined && <ProblemAlert {...agreement.trouble} />}
        {agreement.text === undefined && agreement.trouble === undefined && <Text>{t("request.loading")}</Text>}
        {agreement.text !== undefined && (
          <Scrollable label={t("request.agreement")} className={classes.agreement}>
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
        <ActionError error={acting.error} publication={publication} />
        <Impossible isShown={!isPossible} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui("cancel")}
          </Button>
          <BusyButton type="submit" isBusy={acting.isBusy} disabled={!isPossible || agreement.text === undefined}>
            {t(isDirect ? "actions.requestDirect" : "actions.request")}
          </BusyButton>
        </Group>
      </Stack>
    </form>
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
