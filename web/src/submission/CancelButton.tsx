import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCancel } from "../api/submissions.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { useCaughtFocus } from "../ui/useCaughtFocus.ts";

/** Cancels a submission, after a question. */
export function CancelButton({ id }: { id: string }) {
  const { t } = useTranslation("submission");
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancel(id);
  const place = useCaughtFocus<HTMLButtonElement>(isAsking);
  const close = () => {
    setAsking(false);
    cancel.reset();
  };
  return (
    <>
      <Button ref={place} variant="default" size="compact-sm" onClick={() => setAsking(true)}>
        {t("cancel.open")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("cancel.title")}
        detail={t("cancel.detail")}
        confirm={t("cancel.confirm")}
        isDangerous
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate(undefined, { onSuccess: close })}
        onClose={close}
      >
        {cancel.error !== null && <ProblemAlert error={cancel.error} />}
      </ConfirmDialog>
    </>
  );
}
