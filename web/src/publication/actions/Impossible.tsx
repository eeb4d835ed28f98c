import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** States that the action of a dialog is not possible any more, because another user has acted. */
export function Impossible({ isShown }: { isShown: boolean }) {
  const { t } = useTranslation("publication");
  return <div role="status">{isShown && <Text c="error">{t("outdated.impossible")}</Text>}</div>;
}
