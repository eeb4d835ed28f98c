import { LONGEST_NOTE } from "@accession/rules";
import { Button, Checkbox, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type GrantWish, useGrant } from "../api/access.ts";
import type { Publication } from "../api/publications.ts";
import { useService } from "../api/service.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { useFieldError } from "../ui/problemWords.ts";
import { expiryOf } from "./expiryOf.ts";
import { LastDay } from "./LastDay.tsx";
import { NewLink } from "./NewLink.tsx";

const KINDS = ["subject", "email", "link"] as const satisfies readonly GrantWish["kind"][];
const LONGEST_PERSON = 2_000;

interface Props {
  publication: Publication;
  isOpen: boolean;
  onClose: () => void;
}

/** Grants access to a person, or creates a link. */
export function GrantDialog({ isOpen, ...props }: Props) {
  const { t } = useTranslation("access");
  return (
    <Dialog isOpen={isOpen} title={t("grant.title")} isGrowing onClose={props.onClose}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ publication: { dataset, version }, onClose }: Omit<Props, "isOpen">) {
  const { t } = useTranslation("access");
  const { t: ui } = useTranslation("ui");
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
  const send = (event: FormEvent) => {
    event.preventDefault();
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
    <form onSubmit={send} noValidate>
      <Stack>
        <Text>{t("grant.detail", { version })}</Text>
        <Radio.Group
          size="md"
          label={t("grant.kind")}
          value={kind}
          onChange={(value) => setKind(KINDS.find((one) => one === value) ?? kind)}
          error={fieldError("/kind")}
        >
          <Stack gap="xs" mt="xs">
            {KINDS.filter((one) => one !== "email" || verifiesMail).map((one) => (
              <Radio key={one} size="md" value={one} label={t(`kinds.${one}`)} description={t(`kindsMean.${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {!isLink && (
          <TextInput
            label={t(kind === "email" ? "grant.email" : "grant.account")}
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
        {error !== null && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui("cancel")}
          </Button>
          <BusyButton type="submit" isBusy={isPending}>
            {t(isLink ? "grant.submitLink" : "grant.submit")}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
