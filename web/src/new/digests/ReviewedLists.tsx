import "./words.ts";
import { useTranslation } from "react-i18next";
import common from "../../ui/Common.module.css";
import { useFormats, visible } from "../../ui/text/format.ts";
import type { DataSource } from "../draft.ts";
import { useForm } from "../form.ts";

/** The chosen checksum lists, the manifests of a bag that the connection test has found, and the base folder, as entries of a `<dl>`. */
export function ReviewedLists() {
  const { t } = useTranslation("digests");
  const { count } = useFormats();
  const { draft, lists, connection } = useForm();
  const { lists: names, base } = draft.dataSource;
  const isBucket = draft.dataSource.kind === "bucket";
  const found = !isBucket || connection.isStale ? [] : (connection.preview?.digests?.lists ?? []);
  const checksumsIn = (list: { entries: number } | undefined) =>
    list === undefined ? "" : t("checksums", { count: list.entries, shown: count(list.entries) });
  const chosen = names.map((name) => {
    const known = found.find((list) => list.origin === "request" && list.name === name);
    return [name, lists.has(name) ? checksumsIn(known) : t("toChoose")] as const;
  });
  const manifests = found
    .filter(({ origin, problem }) => origin === "bag" && problem === null)
    .map((list) => [list.name, `${t("manifest")}, ${checksumsIn(list)}`] as const);
  const all = [...chosen, ...manifests];
  if (all.length === 0) return null;
  return (
    <>
      <div>
        <dt>{t("name")}</dt>
        <dd>
          <ul className={common.list}>
            {all.map(([name, note]) => (
              <li key={`${name} ${note}`}>
                {visible(name)}
                {note !== "" && <span className={common.small}>{note}</span>}
              </li>
            ))}
          </ul>
        </dd>
      </div>
      {names.length > 0 && (
        <div>
          <dt>{t("base")}</dt>
          <dd>{base === "" ? t(`default.${defaultBase(draft.dataSource)}`) : visible(base)}</dd>
        </div>
      )}
    </>
  );
}

/** The folder to which the paths of the lists are relative if none is stated. */
function defaultBase({ kind, prefix }: DataSource): "upload" | "prefix" | "bucket" {
  if (kind === "upload") return "upload";
  return prefix === "" ? "bucket" : "prefix";
}
