import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { useFormats } from "../../ui/format.ts";
import { Name } from "../../ui/Name.tsx";
import newClasses from "../New.module.css";
import classes from "./Where.module.css";

/** What would be in the way of a submission, or is worth knowing, before anything moves. */
export function Obstacles({ preview }: { preview: Preview }) {
  const { t } = useTranslation("new");
  const { count, bytes } = useFormats();
  const { complete, fits, room, objects, unreadableStorageClasses, renamed, renamedTotal } = preview;
  const isClear = complete && fits && objects > 0 && unreadableStorageClasses.length === 0;
  return (
    <ul className={classes.obstacles}>
      {objects === 0 && <Obstacle tone="warn">{t("preview.nothing")}</Obstacle>}
      {!fits && <Obstacle tone="warn">{t("preview.noRoom", { room: bytes(room ?? 0) })}</Obstacle>}
      {unreadableStorageClasses.map(({ storageClass, objects }) => (
        <Obstacle key={storageClass} tone="warn">
          {t("preview.archived", { count: objects, shown: count(objects), storageClass })}
        </Obstacle>
      ))}
      {!complete && <Obstacle tone="warn">{t("preview.incomplete")}</Obstacle>}
      {isClear && <Obstacle tone="good">{t("preview.clear")}</Obstacle>}
      {renamedTotal > 0 && (
        <Obstacle tone="calm">
          {t("preview.renamed", { count: renamedTotal, shown: count(renamedTotal) })}
          <Renamed renamed={renamed} />
        </Obstacle>
      )}
      <Obstacle tone="calm">{t("preview.current")}</Obstacle>
    </ul>
  );
}

const ICONS = { warn: IconAlertTriangle, good: IconCheck, calm: IconInfoCircle } as const;

function Obstacle({ tone, children }: { tone: keyof typeof ICONS; children: ReactNode }) {
  const Mark = ICONS[tone];
  return (
    <li data-tone={tone}>
      <Mark size={18} aria-hidden />
      <div>{children}</div>
    </li>
  );
}

function Renamed({ renamed }: { renamed: Preview["renamed"] }) {
  const { t } = useTranslation("new");
  return (
    <details className={newClasses.fold}>
      <summary>{t("preview.renamedShow")}</summary>
      <ul className={classes.renamed}>
        {renamed.map(({ key, path, reason }) => (
          <li key={key}>
            <code>
              <Name>{key}</Name>
            </code>{" "}
            →{" "}
            <code>
              <Name>{path}</Name>
            </code>
            : <span lang="en">{reason}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
