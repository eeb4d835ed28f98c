import { Button, Code, Stack, Text } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PageHeading } from "../ui/PageHeading.tsx";

/** Says in plain words that the page itself has failed, instead of showing nothing. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Broken error={error} />;
  }
}

/** A room that cannot be fetched any more belongs to a page that was replaced while it was open. */
const REPLACED = /dynamically imported module|module script failed|Unable to preload/i;

function Broken({ error }: { error: Error }) {
  const { t } = useTranslation("shell");
  const isReplaced = REPLACED.test(error.message);
  return (
    <Stack align="flex-start" maw="40rem" role="alert">
      <PageHeading title={t("broken.title")} />
      <Text c="dimmed">{isReplaced ? t("broken.newer") : t("broken.detail")}</Text>
      {!isReplaced && <Code block>{error.message}</Code>}
      <Button onClick={() => location.reload()}>{t("broken.reload")}</Button>
    </Stack>
  );
}
