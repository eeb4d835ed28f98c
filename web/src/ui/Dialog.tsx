import { Modal } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";

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
