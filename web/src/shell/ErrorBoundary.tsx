import { Button, Code, Stack, Text } from "@mantine/core";
import { Component, type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useIsReached } from "../api/queries.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { PageOutdated, PageUnreachable } from "./lazyPage.tsx";

interface Props {
  /** Path of the page: on another page, the error is cleared. */
  at: string;
  children: ReactNode;
}

/** Shows an error message if the page itself fails. */
export class ErrorBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate({ at }: Props) {
    if (at !== this.props.at && this.state.error !== undefined) this.goOn();
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Broken error={error} onAgain={() => this.goOn()} />;
  }

  private goOn() {
    this.setState({ error: undefined });
  }
}

/** Why a page is not shown, and what to do. */
function Broken({ error, onAgain }: { error: Error; onAgain: () => void }) {
  const { t } = useTranslation("shell");
  if (error instanceof PageUnreachable) return <Away onAgain={onAgain} />;
  const isReplaced = error instanceof PageOutdated;
  return (
    <Stack align="flex-start" maw="40rem" role="alert">
      <PageHeading title={t(isReplaced ? "broken.newerTitle" : "broken.title")} />
      <Text c="dimmed">{isReplaced ? t("broken.newer") : t("broken.detail")}</Text>
      {!isReplaced && <Code block>{error.message}</Code>}
      <Button onClick={() => location.reload()}>{t("broken.reload")}</Button>
    </Stack>
  );
}

/** Retries automatically when the service responds again. */
function Away({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation("shell");
  const isReached = useIsReached();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time that it is reached again.
  useEffect(() => {
    if (isReached) onAgain();
  }, [isReached]);
  return (
    <Stack align="flex-start" maw="40rem" role="alert">
      <PageHeading title={t("broken.awayTitle")} />
      <Text c="dimmed">{t("broken.away")}</Text>
      <Button onClick={onAgain}>{t("unreachable.retry")}</Button>
    </Stack>
  );
}
