import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type AnonymityFinding, type NewReviewerLink, useCreateLink } from "../api/reviewer-links.ts";
import { PlaceLink } from "../comments/PlaceLink.tsx";
import { Copyable } from "../ui/CopyButton.tsx";
import { Dialog, DialogButtons, DialogForm } from "../ui/Dialog.tsx";
import { TroubleAlert } from "../ui/problem/ProblemAlert.tsx";
import { useFieldError } from "../ui/problem/problemWords.ts";
import { RadioChoice } from "../ui/RadioChoice.tsx";
import { useFormats, visible } from "../ui/text/format.ts";
import classes from "./ReviewerLinks.module.css";
import "../review/words.ts";

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 90;
const MOST_DAYS = 365;
const LONGEST_LABEL = 200;
const KINDS = ["anonymous", "named"] as const;

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

type FormProps = Omit<Props, "isOpen" | "mayEdit"> & { onCreated: (link: NewReviewerLink) => void };

function Form({ dataset, version, onClose, onCreated }: FormProps) {
  const { t } = useTranslation("review");
  const [label, setLabel] = useState("");
  const [until, setUntil] = useState(() => dayIn(DEFAULT_DAYS));
  const [anonymous, setAnonymous] = useState(true);
  const [isSent, setSent] = useState(false);
  const { mutate, isPending, error } = useCreateLink(dataset, version);
  const fieldError = useFieldError(error);
  const isMistaken = !/^\d{4}-\d{2}-\d{2}$/.test(until) || until < dayIn(1) || until > dayIn(MOST_DAYS);
  const send = () => {
    setSent(true);
    // Until the end of the day.
    const expiresAt = `${until}T23:59:59Z`;
    if (!isMistaken) mutate({ label: label.trim(), anonymous, expiresAt }, { onSuccess: onCreated });
  };
  return (
    <DialogForm submit={t("links.create")} isBusy={isPending} error={error} gap="lg" onSend={send} onClose={onClose}>
      <Text>{t("links.send")}</Text>
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
      <RadioChoice
        label={t("links.kind")}
        choices={KINDS.map((kind) => ({
          value: kind,
          label: t(`links.${kind}`),
          description: t(`links.${kind}Means`),
        }))}
        value={anonymous ? "anonymous" : "named"}
        onChange={(value) => setAnonymous(value === "anonymous")}
      />
      {anonymous && <TroubleAlert tone="warn" trouble={{ title: t("links.warning") }} />}
    </DialogForm>
  );
}

/** A day in UTC, `YYYY-MM-DD`. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

interface CreatedLinkProps {
  link: NewReviewerLink;
  dataset: string;
  mayEdit: boolean;
  onClose: () => void;
}

/** The address of a new link, which is shown once, and what can tell reviewers who made the dataset. */
function CreatedLink({ link, dataset, mayEdit, onClose }: CreatedLinkProps) {
  const { t } = useTranslation("review");
  return (
    <Stack gap="lg">
      <Text>{t("links.once")}</Text>
      <Copyable text={link.url} what={t("links.address")} />
      {link.anonymous && <Findings link={link} dataset={dataset} mayEdit={mayEdit} />}
      <DialogButtons>
        <Button onClick={onClose} data-autofocus>
          {t("links.done")}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

function Findings({ link, dataset, mayEdit }: Omit<CreatedLinkProps, "onClose">) {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const telling = link.findings.filter(isTelling);
  const leftOut = link.findings.filter(({ kind }) => kind === "excluded");
  const more = link.findingsTotal - link.findings.length;
  const names = leftOut.map(({ place, text }) => visible("file" in place ? place.file : text)).join(", ");
  return (
    <>
      {telling.length === 0 ? (
        <Text>{t("links.nothingFound")}</Text>
      ) : (
        <TroubleAlert tone="warn" trouble={{ title: t("links.found") }}>
          <ul className={classes.findings}>
            {telling.map(({ kind, text, place }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the findings never changes here.
              <li key={index}>
                <PlaceLink place={place} dataset={dataset} version={link.version} mayEdit={mayEdit} />{" "}
                {t(`links.kinds.${kind}`, { text: visible(text) })}
              </li>
            ))}
          </ul>
          {more > 0 && <p>{t("links.more", { count: more, shown: count(more) })}</p>}
        </TroubleAlert>
      )}
      {leftOut.length > 0 && (
        <Text>{t("links.leftOut", { count: link.filesLeftOut, shown: count(link.filesLeftOut), names })}</Text>
      )}
      <Text>{t("links.warning")}</Text>
    </>
  );
}

type Telling = AnonymityFinding & { kind: Exclude<AnonymityFinding["kind"], "excluded"> };

function isTelling(finding: AnonymityFinding): finding is Telling {
  return finding.kind !== "excluded";
}
