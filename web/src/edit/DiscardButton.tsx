import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../ui/Dialog.tsx";

interface Props {
  words: string;
  size: "xs" | "md";
  onDiscard: () => void;
}

/** Discards the changes of the user, after a confirmation. */
export function DiscardButton({ words, size, onDiscard }: Props) {
  const { t } = useTranslation("edit");
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button variant={size === "xs" ? "default" : "subtle"} size={size} onClick={() => setAsking(true)}>
        {words}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("discarding.ask")}
        detail={t("discarding.detail")}
        confirm={t("discard")}
        isDangerous
        onConfirm={() => {
          setAsking(false);
          onDiscard();
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
