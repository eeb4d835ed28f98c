import IconFileImport from "@tabler/icons-react/dist/esm/icons/IconFileImport.mjs";
import { useTranslation } from "react-i18next";
import { visible } from "../../ui/format.ts";
import classes from "./Import.module.css";
import type { Member } from "./members.ts";
import { useSource } from "./sources.ts";

/** States below a field or list from which file its entry comes, until the user changes it. */
export function FromFile({ member }: { member: Member }) {
  const { t } = useTranslation("new");
  const source = useSource(member);
  if (source === undefined) return null;
  return (
    <p className={classes.from}>
      <IconFileImport size={16} aria-hidden />
      {t("import.from", { file: visible(source) })}
    </p>
  );
}
