import { Trans, useTranslation } from "react-i18next";
import type { Grant } from "../api/access.ts";
import { Account } from "../publication/Account.tsx";
import { useFormats, visible } from "../ui/text/format.ts";
import { DateTime } from "../ui/text/Numbers.tsx";
import "./words.ts";

/** To whom access is granted, and what for. */
export function Grantee({ grant: { kind, person, note } }: { grant: Grant }) {
  const { t } = useTranslation("access");
  return (
    <span>
      {kind === "link" ? (
        t("manage.link")
      ) : kind === "subject" ? (
        <Account name={person ?? ""} />
      ) : (
        visible(person ?? "")
      )}
      {note !== "" && `: ${visible(note)}`}
    </span>
  );
}

/** How often a grant was used, or something was read with it, and when last. @param last null if it was not used */
export function Uses({ uses, last }: { uses: number; last: string | null }) {
  const { t } = useTranslation("access");
  const { count } = useFormats();
  if (last === null) return <>{t("manage.unused")}</>;
  return (
    <Trans
      t={t}
      i18nKey="manage.uses"
      count={uses}
      values={{ shown: count(uses) }}
      components={{ at: <DateTime iso={last} /> }}
    />
  );
}

/** Gives the name of a grant: the person, or the link with its note. */
export function useGrantName(): (grant: Grant) => string {
  const { t } = useTranslation("access");
  return ({ kind, person, note }) => visible(kind === "link" ? `${t("manage.link")} ${note}`.trim() : (person ?? ""));
}
