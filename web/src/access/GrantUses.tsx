import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Grant, type GrantUse, grantUsesQuery } from "../api/access.ts";
import { useQueryState } from "../api/service.ts";
import common from "../ui/Common.module.css";
import { DialogButtons } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { Name } from "../ui/text/Name.tsx";
import classes from "./Access.module.css";
import { Uses, useGrantName } from "./GrantWords.tsx";
import "./words.ts";

/** What was read with a grant, how often and when. The content of a dialog. */
export function GrantUses({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const { t } = useTranslation("access");
  const query = useQuery(grantUsesQuery(grant.dataset, grant.id));
  const trouble = useQueryState(query);
  const name = useGrantName()(grant);
  return (
    <Stack>
      <div>
        <strong>{name}</strong>
        <span className={common.small}>{t("uses.detail")}</span>
      </div>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {query.data === undefined && trouble === undefined && <Skeleton height={120} aria-hidden />}
      {query.data?.length === 0 && <Text>{t("uses.forgotten")}</Text>}
      {query.data !== undefined && query.data.length > 0 && <UseList uses={query.data} grant={grant} />}
      <DialogButtons>
        <Button onClick={onClose} data-autofocus>
          {t("close", { ns: "ui" })}
        </Button>
      </DialogButtons>
    </Stack>
  );
}

function UseList({ uses, grant }: { uses: readonly GrantUse[]; grant: Grant }) {
  const { t } = useTranslation("access");
  return (
    // The list can be longer than the dialog, and must then be scrolled with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
    <section className={classes.uses} tabIndex={0} aria-label={t("uses.title")}>
      <ul className={`${common.list} ${classes.entries}`}>
        {uses.map((use) => (
          <li key={`${use.version} ${use.kind} ${use.path}`} className={common.entry}>
            <span>
              <What use={use} />
            </span>
            <span className={common.small}>
              {grant.version === null && `${t("version", { ns: "ui", version: use.version })} · `}
              <Uses uses={use.uses} last={use.lastUsedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function What({ use: { kind, path } }: { use: GrantUse }) {
  const { t } = useTranslation("access");
  if (kind !== "file" && kind !== "folder") return <>{t(`uses.kinds.${kind}`)}</>;
  return (
    <>
      <Name>{path ?? ""}</Name>
      {kind === "folder" && ` ${t("uses.kinds.folder")}`}
    </>
  );
}
