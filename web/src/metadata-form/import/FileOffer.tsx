import { Button } from "@mantine/core";
import IconFileImport from "@tabler/icons-react/dist/esm/icons/IconFileImport.mjs";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Import.module.css";
import { readFiles } from "./readFiles.ts";
import { useFillDialog } from "./useFillDialog.tsx";

/** Fills the form from metadata files that the user chooses. `FileDrop` receives those that the user drops. */
export function FileOffer() {
  const { t } = useTranslation("new");
  const { open, dialog, said } = useFillDialog();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.offer}>
      <p>{t("import.files")}</p>
      <Button
        variant="light"
        leftSection={<IconFileImport size={18} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t("import.choose")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        onChange={({ currentTarget }) => {
          // Copied, because resetting the field empties its list. It is reset so that the same file can be chosen again.
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = "";
          if (files.length > 0) open(() => readFiles(files, t));
        }}
      />
      <p role="status" className={classes.said}>
        {said}
      </p>
      {dialog}
    </div>
  );
}
