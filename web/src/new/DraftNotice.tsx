import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { isBlank } from "./draft.ts";
import { useForm } from "./form.ts";
import classes from "./New.module.css";

/** Says that what is written is kept in this browser, and lets go of it. */
export function DraftNotice() {
  const { t } = useTranslation("new");
  const { draft, clear } = useForm();
  const [isAsking, setAsking] = useState(false);
  if (isBlank(draft)) return null;
  return (
    <div className={classes.draft}>
      <span>{t("draft.kept")}</span>
      <Button variant="subtle" size="compact-sm" onClick={() => setAsking(true)}>
        {t("draft.empty")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("draft.ask")}
        detail={t("draft.askDetail")}
        confirm={t("draft.confirm")}
        isDangerous
        onConfirm={() => {
          clear();
          setAsking(false);
        }}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
