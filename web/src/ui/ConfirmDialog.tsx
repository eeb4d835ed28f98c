import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./BusyButton.tsx";
import { Dialog } from "./Dialog.tsx";

interface Props {
  isOpen: boolean;
  title: string;
  /** What follows from going on. */
  detail: string;
  /** What the button does, by its verb: `Cancel the submission`. */
  confirm: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** What else has to be said or shown, such as an error. */
  children?: ReactNode;
}

/** Asks before something is done that cannot be taken back. Going back is the first button, so that Enter harms nobody. */
export function ConfirmDialog(props: Props) {
  const { isOpen, title, detail, confirm, isDangerous = false, isBusy = false, onConfirm, onClose, children } = props;
  const { t } = useTranslation("ui");
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose}>
      <Stack>
        <Text>{detail}</Text>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("back")}
          </Button>
          <BusyButton color={isDangerous ? "red.9" : "pine"} isBusy={isBusy} onClick={onConfirm}>
            {confirm}
          </BusyButton>
        </Group>
      </Stack>
    </Dialog>
  );
}
