import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Trans, useTranslation } from "react-i18next";
import { type MetadataState, type Revision, revisionsQuery } from "../api/revisions.ts";
import { ChangeList } from "../revisions/ChangeList.tsx";
import { compareMetadata } from "../revisions/compare-metadata.ts";
import { visible, visibleLines } from "../ui/format.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { DiscardButton } from "./DiscardButton.tsx";
import { Notice } from "./Notice.tsx";

interface Props {
  id: string;
  base: MetadataState;
  latest: MetadataState;
  /** The user has tried to save. */
  isRefused: boolean;
  /** Applies the user's changes to the latest metadata. */
  onApply: () => void;
  onDiscard: () => void;
}

/** Says who has changed the metadata since the edit began, what they changed, and what the user can do. */
export function NewerMetadata({ id, base, latest, isRefused, onApply, onDiscard }: Props) {
  const { t } = useTranslation("edit");
  const { data = [] } = useQuery(revisionsQuery(id, latest.version));
  const since = data.filter(({ version, revision }) => version !== base.version || revision > base.revision);
  return (
    <Notice title={t("newer.title")} isAnswer={isRefused}>
      <Stack gap="sm">
        {(since.length > 0 ? since : [latest]).map((revision) => (
          <ByWhom key={revision.revision} revision={revision} />
        ))}
        <ChangeList changes={compareMetadata(base.metadata, latest.metadata)} />
        <Text inherit>{t("newer.detail")}</Text>
        <Group>
          <Button size="xs" onClick={onApply}>
            {t("newer.apply")}
          </Button>
          <DiscardButton size="xs" words={t("newer.discard")} onDiscard={onDiscard} />
        </Group>
      </Stack>
    </Notice>
  );
}

function ByWhom({ revision: { changedBy, changedAt, note } }: { revision: Revision }) {
  const { t } = useTranslation("edit");
  return (
    <Text inherit>
      <Trans
        t={t}
        i18nKey={changedBy === "" ? "newer.byService" : "newer.by"}
        values={{ by: visible(changedBy) }}
        components={{ at: <DateTime iso={changedAt} /> }}
      />
      {note !== "" && <bdi>{` “${visibleLines(note)}”`}</bdi>}
    </Text>
  );
}
