import { Button, Group, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Publication } from "../../api/publications.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { AccessFields } from "./AccessFields.tsx";
import { ActionError } from "./ActionError.tsx";
import { bodyOf, choiceOf, mistakesIn } from "./access-choice.ts";
import { Impossible } from "./Impossible.tsx";
import { useActing } from "./useActing.ts";

interface Props {
  publication: Publication;
  isOpen: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Changes who may read the files of a published version. A reason is required. */
export function AccessDialog({ isOpen, ...props }: Props) {
  const { t } = useTranslation("publication");
  return (
    <Dialog isOpen={isOpen} title={t("changeAccess.title")} isGrowing onClose={props.onClose}>
      <Form {...props} />
    </Dialog>
  );
}

function Form({ publication, onClose, onDone }: Omit<Props, "isOpen">) {
  const { t } = useTranslation("publication");
  const { t: ui } = useTranslation("ui");
  // The earlier reason is not the one of this change.
  const [choice, setChoice] = useState({ ...choiceOf(publication), reason: "" });
  const [isSent, setSent] = useState(false);
  const acting = useActing(publication, { onDone });
  const isPossible = publication.actions.includes("change-access");
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (mistakesIn(choice, true).length > 0) return;
    acting.send({ action: "change-access", body: bodyOf(choice) });
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <Text>{t("changeAccess.detail")}</Text>
        <AccessFields choice={choice} onChange={setChoice} isChange isSent={isSent} fieldError={acting.fieldError} />
        <ActionError error={acting.error} publication={publication} />
        <Impossible isShown={!isPossible} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {ui("cancel")}
          </Button>
          <BusyButton type="submit" isBusy={acting.isBusy} disabled={!isPossible}>
            {t("changeAccess.submit")}
          </BusyButton>
        </Group>
      </Stack>
    </form>
  );
}
