import { LONGEST_NOTE } from "@accession/rules";
import { Checkbox, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type GrantWish, useGrant } from "../api/access.ts";
import type { Publication } from "../api/publications.ts";
import { useService } from "../api/service.ts";
import { DialogForm } from "../ui/Dialog.tsx";
import { useFieldError } from "../ui/problem/problemWords.ts";
import { RadioChoice } from "../ui/RadioChoice.tsx";
import { expiryOf, LastDay } from "./LastDay.tsx";
import { NewLink } from "./NewLink.tsx";

const KINDS = ["subject", "email", "link"] as const satisfies readonly GrantWish["kind"][];
const LONGEST_PERSON = 2_000;

interface Props {
  publication: Publication;
  onClose: () => void;
}

/** Grants access to a person, or creates a link. */
export function GrantForm({ publication: { dataset, version }, onClose }: Props) {
  const { t } = useTranslation("access");
  const verifiesMail = useService()?.signIn.method === "oidc";
  const { mutate, isPending, error, data } = useGrant(dataset, version);
  const [kind, setKind] = useState<GrantWish["kind"]>("subject");
  const [person, setPerson] = useState("");
  const [note, setNote] = useState("");
  const [day, setDay] = useState("");
  const [isForAll, setForAll] = useState(false);
  const [isSent, setSent] = useState(false);
  const fieldError = useFieldError(error);
  const isLink = kind === "link";
  const missing = isSent && person.trim() === "" ? t("grant.personRequired") : undefined;
  if (data?.url != null) return <NewLink url={data.url} onClose={onClose} />;
  const send = () => {
    setSent(true);
    if (!isLink && person.trim() === "") return;
    const body = {
      kind,
      ...(!isLink && { person: person.trim() }),
      ...(note.trim() !== "" && { note: note.trim() }),
      ...(isForAll && { allVersions: true }),
      ...expiryOf(day),
    };
    mutate(body, { onSuccess: ({ url }) => url === null && onClose() });
  };
  return (
    <DialogForm
      submit={t(isLink ? "grant.submitLink" : "manage.grant")}
      isBusy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      <Text>{t("grant.detail", { version })}</Text>
      <RadioChoice
        label={t("grant.kind")}
        choices={KINDS.filter((one) => one !== "email" || verifiesMail).map((one) => ({
          value: one,
          label: t(`kinds.${one}`),
          description: t(`kindsMean.${one}`),
        }))}
        value={kind}
        onChange={setKind}
        error={fieldError("/kind")}
      />
      {!isLink && (
        <TextInput
          label={t(kind === "email" ? "ask.email" : "grant.account")}
          value={person}
          onChange={({ currentTarget }) => setPerson(currentTarget.value)}
          error={fieldError("/person") ?? missing}
          maxLength={LONGEST_PERSON}
          spellCheck={false}
          required
        />
      )}
      <LastDay value={day} onChange={setDay} isLink={isLink} error={fieldError("/expiresAt")} />
      <TextInput
        label={t("grant.note")}
        description={t("grant.noteHint")}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        error={fieldError("/note")}
        maxLength={LONGEST_NOTE}
      />
      <Checkbox
        size="md"
        label={t("grant.all")}
        checked={isForAll}
        onChange={({ currentTarget }) => setForAll(currentTarget.checked)}
      />
    </DialogForm>
  );
}
