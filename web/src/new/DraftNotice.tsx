import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { isBlank } from "./draft.ts";
import { useForm } from "./form.ts";
import classes from "./New.module.css";

const ConfirmDialog = lazy(async () => ({ default: (await import("../ui/ConfirmDialog.tsx")).ConfirmDialog }));

/** Says that what is written is kept in this browser, and lets go of it. */
export function DraftNotice() {
  const { t } = useTranslation("new");
  const { draft, clear, goToField } = useForm();
  const [isAsking, setAsking] = useState<boolean>();
  if (isBlank(draft)) return null;
  return (
    <div className={classes.draft}>
      <span>{t("draft.kept")}</span>
      <Button variant="subtle" size="compact-sm" onClick={() => setAsking(true)}>
        {t("draft.empty")}
      </Button>
      {isAsking !== undefined && (
        <Suspense fallback={null}>
          <ConfirmDialog
            isOpen={isAsking}
            title={t("draft.ask")}
            detail={t("draft.askDetail")}
            confirm={t("draft.confirm")}
            isDangerous
            onConfirm={() => {
              clear();
              setAsking(false);
              // The button that led here is gone: what is filled in first is where one goes on.
              goToField("/s3Access/endpoint");
            }}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
