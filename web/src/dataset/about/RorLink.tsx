import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { visible } from "../../ui/format.ts";
import classes from "../Dataset.module.css";

/** The link to an institution in ror.org. Nothing without a ROR ID. */
export function RorLink({ id, name }: { id: string | undefined; name: string }) {
  const { t } = useTranslation("dataset");
  if (id === undefined || !id.startsWith("https://ror.org/")) return null;
  return (
    <Anchor
      className={classes.orcid}
      href={id}
      target="_blank"
      rel="noreferrer"
      aria-label={t("about.rorOf", { name: visible(name) })}
    >
      ROR
    </Anchor>
  );
}
