import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useTranslation } from "react-i18next";

/** Shown while the code of a page loads. */
export function Loading() {
  const { t } = useTranslation("shell");
  return (
    <Stack gap="xl" aria-busy>
      <VisuallyHidden>{t("loading")}</VisuallyHidden>
      <Skeleton height={36} width="min(24rem, 70%)" />
      <Skeleton height={200} />
    </Stack>
  );
}
