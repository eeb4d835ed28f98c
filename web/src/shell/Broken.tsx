import { Button, Code, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useIsReached } from "../api/reach.ts";
import { PageHeading } from "../ui/PageHeading.tsx";
import { RoomAway, RoomReplaced } from "./fetchedRoom.tsx";

interface Props {
  error: Error;
  onAgain: () => void;
}

/** Why a room is not shown, and what to do. */
export function Broken({ error, onAgain }: Props) {
  const { t } = useTranslation("shell");
  if (error instanceof RoomAway) return <Away onAgain={onAgain} />;
  const isReplaced = error instanceof RoomReplaced;
  return (
    <Stack align="flex-start" maw="40rem" role="alert">
      <PageHeading title={t("broken.title")} />
      <Text c="dimmed">{isReplaced ? t("broken.newer") : t("broken.detail")}</Text>
      {!isReplaced && <Code block>{error.message}</Code>}
      <Button onClick={() => location.reload()}>{t("broken.reload")}</Button>
    </Stack>
  );
}

/** Goes on by itself when the service answers again. */
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
