import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./BusyButton.tsx";

interface Props {
  isOpen: boolean;
  title: string;
  size?: "md" | "lg" | "xl";
  /** It grows while somebody writes: it begins at the top, so that nothing moves under their eyes. */
  isGrowing?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** What is asked or shown over the page. The focus goes back to where it came from. */
export function Dialog({ isOpen, title, size = "md", isGrowing = false, onClose, children }: Props) {
  const { t } = useTranslation("ui");
  // It opens once it is there: one that is there only since it is wanted notes what has the focus, too.
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return (
    <Modal
      opened={isOpen && isThere}
      onClose={onClose}
      title={title}
      size={size}
      centered={!isGrowing}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {children}
    </Modal>
  );
}

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** What follows from going on. */
  detail: string;
  /** The label of the button that confirms, with a verb: `Cancel submission`. */
  confirm: string;
  /** The label of the other button, if “Cancel” would be ambiguous. */
  dismiss?: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** What else has to be said or shown, such as an error. */
  children?: ReactNode;
}

/** Asks before something is done that cannot be taken back. Going back is the first button, so that Enter harms nobody. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, detail, confirm, dismiss, isDangerous = false, isBusy = false } = props;
  const { onConfirm, onClose, children } = props;
  const { t } = useTranslation("ui");
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose}>
      <Stack>
        <Text>{detail}</Text>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismiss ?? t("cancel")}
          </Button>
          <BusyButton color={isDangerous ? "red.9" : "pine"} isBusy={isBusy} onClick={onConfirm}>
            {confirm}
          </BusyButton>
        </Group>
      </Stack>
    </Dialog>
  );
}
