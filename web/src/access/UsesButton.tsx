import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Grant } from "../api/access.ts";
import { useGrantName } from "./GrantWords.tsx";
import "./words.ts";

/** Shows what was read with a grant, if it was used. */
export function UsesButton({ grant, onShow }: { grant: Grant; onShow: (grant: Grant) => void }) {
  const { t } = useTranslation("access");
  const name = useGrantName()(grant);
  if (grant.usedAt === null) return null;
  return (
    <Button variant="default" size="xs" aria-label={t("uses.of", { name })} onClick={() => onShow(grant)}>
      {t("uses.show")}
    </Button>
  );
}
