import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useCaller } from "../api/service.ts";

/** Leads to a submission that becomes the next version; for those who may submit. */
export function NewVersion({ id }: { id: string }) {
  const { t } = useTranslation("dataset");
  const roles = useCaller()?.roles ?? [];
  if (!roles.includes("submitter") && !roles.includes("admin")) return null;
  return (
    <Button component={Link} href={`/new?dataset=${id}`} variant="default" size="xs">
      {t("newVersion")}
    </Button>
  );
}
