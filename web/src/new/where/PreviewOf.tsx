import { Stack, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { useFormats } from "../../ui/format.ts";
import { Changes } from "./Changes.tsx";
import { FolderTree } from "./FolderTree.tsx";
import { Largest } from "./Largest.tsx";
import { Obstacles } from "./Obstacles.tsx";
import { Types } from "./Types.tsx";
import classes from "./Where.module.css";

/** What a submission would take in: how much, what is in its way, where it lies and of what type it is. */
export function PreviewOf({ preview }: { preview: Preview }) {
  const { t } = useTranslation(["new", "ui"]);
  const { count, bytes, duration } = useFormats();
  const { objects, complete, estimatedSeconds } = preview;
  const shown = count(objects);
  return (
    <Stack gap="lg" component="section" aria-label={t("preview.title")}>
      <div>
        <Title order={3} size="h4">
          {t("preview.title")}
        </Title>
        <p className={classes.sum}>
          {!complete && `${t("preview.atLeast")} `}
          <strong>{t("ui:objects", { count: objects, shown })}</strong>, <strong>{bytes(preview.bytes)}</strong>
          {complete && estimatedSeconds !== null && `, ${t("preview.estimate", { time: duration(estimatedSeconds) })}`}
        </p>
      </div>
      <Obstacles preview={preview} />
      {preview.changes !== undefined && <Changes changes={preview.changes} />}
      {objects > 0 && <Types preview={preview} />}
      {objects + preview.leftOut.objects > 0 && <FolderTree preview={preview} />}
      {objects > 0 && <Largest largest={preview.largest} />}
    </Stack>
  );
}
