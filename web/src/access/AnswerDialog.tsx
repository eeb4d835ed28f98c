import { LONGEST_REASON } from "@accession/rules";
import { Button, Group, Radio, Stack, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type AccessRequest, type Answer, useAnswer } from "../api/access.ts";
import { useService } from "../api/service.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { useFieldError } from "../ui/problemWords.ts";
import { Asked } from "./Asked.tsx";
import { expiryOf } from "./expiryOf.ts";
import { LastDay } from "./LastDay.tsx";
import { NewLink } from "./NewLink.tsx";

interface Props {
  /** Undefined while the dialog is closed. */
  request: AccessRequest | undefined;
  onClose: () => void;
}

/** Answers a request for access. */
export function AnswerDialog({ request, onClose }: Props) {
  const { t } = useTranslation("access");
  return (
    <Dialog isOpen={request !== undefined} title={t("answer.title")} isGrowing onClose={onClose}>
      {request !== undefined && <Form request={request} onClose={onClose} />}
    </Dialog>
  );
}

type Choice = "person" | "link" | "refuse";

function Form({ request, onClose }: { request: AccessRequest; onClose: () => void }) {
  const { t } = useTranslation("access");
  const { t: ui } = useTranslation("ui");
  const verifiesMail = useService()?.signIn.method === "oidc";
  const { mutate, isPending, error, data } = useAnswer(request.dataset);
  const choices: Choice[] =
    request.account !== null || verifiesMail ? ["person", "link", "refuse"] : ["link", "refuse"];
  const [choice, setChoice] = useState<Choice>(choices[0] ?? "link");
  const [day, setDay] = useState("");
  const [answer, setAnswer] = useState("");
  const fieldError = useFieldError(error);
  if (data?.url != null) return <NewLink url={data.url} onClose={onClose} />;
  const send = (event: FormEvent) => {
    event.preventDefault();
    const text = answer.trim() === "" ? {} : { answer: answer.trim() };
    const sent: Answer =
      choice === "refuse"
        ? { how: "refuse", request: request.id, body: text }
        : { how: "grant", request: request.id, body: { ...text, as: choice, ...expiryOf(day) } };
    mutate(sent, { onSuccess: (grant) => grant?.url == null && onClose() });
  };
  const meaningOf = (one: Choice) =>
    t(one === "person" && request.account === null ? "answer.personByMail" : `answer.${one}Means`);
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Asked request={request} />
        <Radio.Group
          size="md"
          label={t("answer.choice")}
          value={choice}
          onChange={(value) => setChoice(choices.find((one) => one === value) ?? choice)}
        >
          <Stack gap="xs" mt="xs">
            {choices.map((one) => (
              <Radio key={one} size="md" value={one} label={t(`answer.${one}`)} description={meaningOf(one)} />
            ))}
          </Stack>
        </Radio.Group>
        {choice !== "refuse" && (
          <LastDay value={day} onChange={setDay} isLink={choice === "link"} error={fieldError("/expiresAt")} />
        )}
        <Textarea
          label={t("answer.text")}
          description={t("answer.textHint")}
          value={answer}
          onChange={({ currentTarget }) => setAnswer(currentTarget.value)}
          error={fieldError("/answer")}
          maxLength={LONGEST_REASON}
          autosize
          minRows={2}
          maxRows={10}
        />
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui("cancel")}
          </Button>
          <BusyButton type="submit" color={choice === "refuse" ? "red.9" : "pine"} isBusy={isPending}>
            {t(choice === "refuse" ? "answer.submitRefuse" : "answer.submit")}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
