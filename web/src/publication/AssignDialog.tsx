import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Publication } from "../api/publications.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ActionError } from "./ActionError.tsx";
import { Impossible } from "./Impossible.tsx";
import { useActing } from "./useActing.ts";

interface Props {
  publication: Publication;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Assigns the review to a curator by name, or removes the assignment. */
export function AssignDialog({ isOpen, ...props }: Props) {
  const { t } = useTranslation("publication");
  return (
    <Dialog isOpen={isOpen} title={t("assign.title")} onClose={props.onClose}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ publication, onClose, onDone }: Omit<Props, "isOpen">) {
  const { t } = useTranslation("publication");
  const { t: ui } = useTranslation("ui");
  const { assignee, actions } = publication;
  const [curator, setCurator] = useState(assignee ?? "");
  const [isSent, setSent] = useState(false);
  const acting = useActing(publication, { onDone });
  const name = curator.trim();
  const isPossible = actions.includes("assign");
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (name !== "") acting.send({ action: "assign", body: { curator: name } });
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text>{t("assign.detail")}</Text>
        <TextInput
          label={t("assign.curator")}
          value={curator}
          onChange={({ currentTarget }) => setCurator(currentTarget.value)}
          error={acting.fieldError("/curator") ?? (isSent && name === "" && t("assign.curatorRequired"))}
          maxLength={2_000}
          spellCheck={false}
          autoComplete="off"
          required
          data-autofocus
        />
        <ActionError error={acting.error} publication={publication} />
        <Impossible isShown={!isPossible} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui("cancel")}
          </Button>
          {assignee !== null && (
            <BusyButton
              variant="default"
              isBusy={acting.isBusy}
              disabled={!isPossible}
              onClick={() => acting.send({ action: "assign", body: { curator: null } })}
            >
              {t("assign.remove")}
            </BusyButton>
          )}
          <BusyButton type="submit" isBusy={acting.isBusy} disabled={!isPossible}>
            {t("assign.submit")}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
