import { useTranslation } from "react-i18next";
import type { AccessRequest } from "../api/access.ts";
import { Account } from "../publication/Account.tsx";
import common from "../ui/Common.module.css";
import { visible, visibleLines } from "../ui/format.ts";
import { DateTime } from "../ui/Numbers.tsx";

/** The name of the person who asks, for labels. */
export function nameOf({ name, account, email }: AccessRequest): string {
  return visible(name ?? account?.split("#").at(-1) ?? email ?? "");
}

/** Who asks, when and what for. */
export function Asked({ request }: { request: AccessRequest }) {
  const { t } = useTranslation("access");
  const { account, name, email, emailVerified, reason, createdAt } = request;
  return (
    <>
      <span>
        {name !== null && <bdi>{visible(name)}</bdi>} {account !== null && <Account name={account} />}{" "}
        {email !== null && <bdi>{visible(email)}</bdi>}
      </span>
      <span className={common.small}>
        <DateTime iso={createdAt} />
        {email !== null && ` · ${t(emailVerified ? "manage.verified" : "manage.stated")}`}
      </span>
      <div className={common.quote}>{visibleLines(reason)}</div>
    </>
  );
}
