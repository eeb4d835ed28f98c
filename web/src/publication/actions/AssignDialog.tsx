import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { curatorsQuery, type Publication } from "../../api/publications.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { shortName } from "../Account.tsx";
import { ActionError } from "./ActionError.tsx";
import { Impossible } from "./Impossible.tsx";
import { useActing } from "./useActing.ts";

interface Props {
  publication: Publication;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Assigns the review to a curator, with suggestions, or removes the assignment. */
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
  // Only suggestions: the field also accepts the name of an account that the service does not know yet.
  const { data: curators = [] } = useQuery(curatorsQuery);
  const suggestions = useId();
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
          description={t("assign.curatorHint")}
          list={suggestions}
          value={curator}
          onChange={({ currentTarget }) => setCurator(currentTarget.value)}
          error={acting.fieldError("/curator") ?? (isSent && name === "" && t("assign.curatorRequired"))}
          maxLength={2_000}
          spellCheck={false}
          autoComplete="off"
          required
          data-autofocus
        />
        <datalist id={suggestions}>
          {curators.map(({ owner }) => (
            <option key={owner} value={owner} label={shortName(owner)} />
          ))}
        </datalist>
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
