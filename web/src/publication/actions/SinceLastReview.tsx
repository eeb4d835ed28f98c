import { Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Publication } from "../../api/publications.ts";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { Scrollable } from "../../ui/Section.tsx";
import { lastReviewed } from "../last-reviewed.ts";
import classes from "../Publication.module.css";
import { useChangedSince } from "../useChangedSince.ts";
import "../words.ts";

/** Loaded on demand, because few datasets are changed between two reviews. */
const Differences = lazyLoaded(() => import("../../revisions/Differences.tsx"));

/** What has changed in the metadata since a curator decided last, or since the request. Files of a version never change. */
export function SinceLastReview({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publication");
  const { dataset, version, revision } = publication;
  const last = lastReviewed(publication);
  const isChanged = useChangedSince(publication, last?.revision ?? revision);
  if (last === undefined) return null;
  if (!isChanged) return <Text>{t(last.isDecided ? "sinceReview.same" : "sinceReview.first")}</Text>;
  const title = t(last.isDecided ? "sinceReview.decision" : "sinceReview.request");
  return (
    <Stack gap="xs">
      <Text fw={600}>{title}</Text>
      <Scrollable label={title} className={classes.difference}>
        <Differences id={dataset} from={{ version, revision: last.revision }} to={{ version, revision }} />
      </Scrollable>
    </Stack>
  );
}
