import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type FocusEvent, type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "./BusyButton.tsx";
import classes from "./Dialog.module.css";
import { ProblemAlert } from "./problem/ProblemAlert.tsx";

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
      classNames={{ content: classes.content ?? "" }}
      onFocus={show}
      closeButtonProps={{ "aria-label": t("close") }}
    >
      {children}
    </Modal>
  );
}

/** Scrolls a field into sight that receives the focus when the dialog opens or by a touch. Browsers do so for the keyboard only. */
function show({ target }: FocusEvent) {
  if (target.matches(":focus-visible") && target.closest(`header, .${classes.buttons}`) === null) {
    target.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Reserves the space of the title and of the buttons of a dialog, so that no element with the focus is scrolled below them. If
 * the buttons are new because another content replaced the element with the focus, one of them receives it.
 */
function prepare(buttons: HTMLElement | null) {
  const dialog = buttons?.closest<HTMLElement>("[role=dialog]");
  if (buttons === null || dialog == null) return;
  if (document.activeElement === document.body) {
    buttons.querySelector<HTMLElement>("[data-autofocus]")?.focus({ preventScroll: true });
  }
  const observer = new ResizeObserver(() => {
    dialog.style.setProperty("--dialog-title", `${dialog.querySelector("header")?.offsetHeight ?? 0}px`);
    dialog.style.setProperty("--dialog-buttons", `${buttons.offsetHeight}px`);
  });
  observer.observe(buttons);
  return () => observer.disconnect();
}

/** The buttons at the end of a dialog, which stay in sight. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <Group ref={prepare} justify="flex-end" gap="0.5rem 0.75rem" className={classes.buttons}>
      {children}
    </Group>
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
  /** Why the action failed. */
  error?: Error | null;
}

/** Asks for confirmation of an action that cannot be undone. The button that dismisses it has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, detail, confirm, dismiss, isDangerous = false, isBusy = false } = props;
  const { onConfirm, onClose, error = null } = props;
  const { t } = useTranslation("ui");
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose}>
      <Stack>
        <Text>{detail}</Text>
        {error !== null && <ProblemAlert error={error} />}
        <DialogButtons>
          <Button variant="default" onClick={onClose} data-autofocus>
            {dismiss ?? t("cancel")}
          </Button>
          <BusyButton color={isDangerous ? "red.9" : "pine"} isBusy={isBusy} onClick={onConfirm}>
            {confirm}
          </BusyButton>
        </DialogButtons>
      </Stack>
    </Dialog>
  );
}

interface DialogFormProps {
  /** The label of the button that sends the form, with a verb. */
  submit: string;
  isDangerous?: boolean;
  isBusy: boolean;
  /** Whether the form can be sent now. */
  isPossible?: boolean;
  /** Why the form could not be sent. */
  error?: Error | null;
  /** Further buttons. */
  beside?: ReactNode;
  gap?: "md" | "lg";
  /** Checks the fields, and sends them. */
  onSend: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** The form in a dialog: its fields, why it could not be sent, and the buttons that cancel and send it. */
export function DialogForm(props: DialogFormProps) {
  const { submit, isDangerous = false, isBusy, isPossible = true, error = null, beside, gap = "md" } = props;
  const { onSend, onClose, children } = props;
  const { t } = useTranslation("ui");
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSend();
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap={gap}>
        {children}
        {error !== null && <ProblemAlert error={error} />}
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            {t("cancel")}
          </Button>
          {beside}
          <BusyButton type="submit" color={isDangerous ? "red.9" : "pine"} isBusy={isBusy} disabled={!isPossible}>
            {submit}
          </BusyButton>
        </DialogButtons>
      </Stack>
    </form>
  );
}
