import { Button, Group, Stack, Text } from "@mantine/core";
import { Trans, useTranslation } from "react-i18next";
import type { MetadataState } from "../api/revisions.ts";
import { ChangeList } from "../revisions/ChangeList.tsx";
import { compareMetadata } from "../revisions/compare-metadata.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { Notice } from "./Notice.tsx";

interface Props {
  base: MetadataState;
  latest: MetadataState;
  /** Applies the user's changes to the latest metadata. */
  onApply: () => void;
  onDiscard: () => void;
}

/** Says that somebody has changed the metadata since the edit began, what they changed, and what the user can do. */
export function NewerMetadata({ base, latest, onApply, onDiscard }: Props) {
  const { t } = useTranslation("edit");
  return (
    <Notice title={t("newer.title")} isUrgent>
      <Stack gap="sm">
        <Text inherit>
          <Trans
            t={t}
            i18nKey="newer.by"
            values={{ by: latest.changedBy }}
            components={{ at: <DateTime iso={latest.changedAt} /> }}
          />
          {latest.note !== "" && ` “${latest.note}”`}
        </Text>
        <ChangeList changes={compareMetadata(base.metadata, latest.metadata)} />
        <Text inherit>{t("newer.detail")}</Text>
        <Group>
          <Button size="xs" onClick={onApply}>
            {t("newer.apply")}
          </Button>
          <Button size="xs" variant="default" onClick={onDiscard}>
            {t("newer.discard")}
          </Button>
        </Group>
      </Stack>
    </Notice>
  );
}
