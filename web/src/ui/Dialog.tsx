import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./BusyButton.tsx";

interface Props {
  isOpen: boolean;
  title: string;
  size?: "md" | "lg" | "xl";
  /** Its content grows during input, so it is aligned with the top to keep the content in place. */
  isGrowing?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog. When it closes, the focus returns to the element that had it before. */
export function Dialog({ isOpen, title, size = "md", isGrowing = false, onClose, children }: Props) {
  const { t } = useTranslation("ui");
  // Opened after the first rendering, so that the dialog records which element had the focus.
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
  /** The consequences of confirming. */
  detail: string;
  /** The label of the button that confirms, with a verb: `Cancel submission`. */
  confirm: string;
  /** The label of the other button, if “Cancel” would be ambiguous. */
  dismiss?: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** Further content, such as an error. */
  children?: ReactNode;
}

/** Asks for confirmation of an action that cannot be undone. The button that dismisses it has the focus. */
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
