import { Button } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { isBlank } from "./draft.ts";
import { useForm } from "./form.ts";
import classes from "./New.module.css";

/** Says whether what is written is kept in this browser, and lets go of it. Its room is there before there is a draft. */
export function DraftNotice() {
  const { t } = useTranslation("new");
  const { draft, kept, follow, clear, goTo } = useForm();
  const [isAsking, setAsking] = useState(false);
  const isUnwritten = isBlank(draft) && kept === "kept";
  return (
    <div className={classes.draft} data-unwritten={isUnwritten || undefined}>
      <span role={kept === "kept" ? undefined : "alert"}>{t(`draft.${kept}`)}</span>
      {kept === "elsewhere" && (
        <Button variant="subtle" size="compact-sm" onClick={follow}>
          {t("draft.follow")}
        </Button>
      )}
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
          goTo("where");
          clear();
        }}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}
