import { Button, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { PageHeading } from "../ui/PageHeading.tsx";

/** The page for unknown addresses. */
export function NotFound() {
  const { t } = useTranslation("shell");
  return (
    <Stack align="flex-start" maw="40rem">
      <PageHeading title={t("notFound.title")} />
      <Text c="dimmed">{t("notFound.detail")}</Text>
      <Button component={Link} href="/">
        {t("notFound.back")}
      </Button>
    </Stack>
  );
}
