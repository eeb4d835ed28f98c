import { Button, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type NewReviewerLink, useCreateLink } from "../api/reviewer-links.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ProblemAlert, TroubleAlert } from "../ui/ProblemAlert.tsx";
import { useFieldError } from "../ui/problemWords.ts";
import { CreatedLink } from "./CreatedLink.tsx";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MOST_DAYS = 365;
const LONGEST_LABEL = 200;

interface Props {
  isOpen: boolean;
  dataset: string;
  version: number;
  mayEdit: boolean;
  onClose: () => void;
}

/** Creates a reviewer link, and then shows its address and what to check before it is sent. */
export function CreateLinkDialog({ isOpen, ...props }: Props) {
  const { t } = useTranslation("review");
  const [created, setCreated] = useState<NewReviewerLink>();
  const close = () => {
    setCreated(undefined);
    props.onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      title={t(created === undefined ? "links.create" : "links.created")}
      size="lg"
      isGrowing
      onClose={close}
    >
      {created === undefined ? (
        <Form {...props} onCreated={setCreated} />
      ) : (
        <CreatedLink link={created} dataset={props.dataset} mayEdit={props.mayEdit} onClose={close} />
      )}
    </Dialog>
  );
}

function Form({
  dataset,
  version,
  onClose,
  onCreated,
}: Omit<Props, "isOpen" | "mayEdit"> & { onCreated: (link: NewReviewerLink) => void }) {
  const { t } = useTranslation("review");
  const { t: ui } = useTranslation("ui");
  const [label, setLabel] = useState("");
  const [until, setUntil] = useState(() => dayIn(DEFAULT_DAYS));
  const [anonymous, setAnonymous] = useState(true);
  const [isSent, setSent] = useState(false);
  const { mutate, isPending, error } = useCreateLink(dataset, version);
  const fieldError = useFieldError(error);
  const isMistaken = !/^\d{4}-\d{2}-\d{2}$/.test(until) || until < dayIn(1) || until > dayIn(MOST_DAYS);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    // Until the end of the day.
    const expiresAt = `${until}T23:59:59Z`;
    if (!isMistaken) mutate({ label: label.trim(), anonymous, expiresAt }, { onSuccess: onCreated });
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="lg">
        <Text>{t("links.detail")}</Text>
        <TextInput
          label={t("links.label")}
          description={t("links.labelHint")}
          value={label}
          onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          error={fieldError("/label")}
          maxLength={LONGEST_LABEL}
          data-autofocus
        />
        <TextInput
          type="date"
          label={t("links.until")}
          description={t("links.untilHint")}
          value={until}
          min={dayIn(1)}
          max={dayIn(MOST_DAYS)}
          onChange={({ currentTarget }) => setUntil(currentTarget.value)}
          error={fieldError("/expiresAt") ?? (isSent && isMistaken && t("links.untilRequired"))}
          styles={{ input: { maxWidth: "12rem" } }}
          required
        />
        <Radio.Group
          size="md"
          label={t("links.kind")}
          value={anonymous ? "anonymous" : "named"}
          onChange={(value) => setAnonymous(value === "anonymous")}
        >
          <Stack gap="xs" mt="xs">
            <Radio size="md" value="anonymous" label={t("links.anonymous")} description={t("links.anonymousMeans")} />
            <Radio size="md" value="named" label={t("links.named")} description={t("links.namedMeans")} />
          </Stack>
        </Radio.Group>
        {anonymous && <TroubleAlert tone="warn" trouble={{ title: t("links.warning") }} />}
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui("cancel")}
          </Button>
          <BusyButton type="submit" isBusy={isPending}>
            {t("links.create")}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}

/** A day in UTC, `YYYY-MM-DD`. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
