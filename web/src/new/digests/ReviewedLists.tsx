import "./words.ts";
import { useTranslation } from "react-i18next";
import common from "../../ui/Common.module.css";
import { useFormats, visible } from "../../ui/text/format.ts";
import { useForm } from "../form.ts";

/** The chosen checksum lists, the manifests of a bag that the connection test has found, and the base folder, as entries of a `<dl>`. */
export function ReviewedLists() {
  const { t } = useTranslation("digests");
  const { count } = useFormats();
  const { draft, lists, connection } = useForm();
  const { lists: names, base, kind, prefix } = draft.dataSource;
  const isBucket = kind === "bucket";
  const folder = base === "" && isBucket ? folderOf(prefix) : base;
  const preview = !isBucket || connection.isStale ? undefined : connection.preview?.digests;
  const found = preview?.lists ?? [];
  // Without a comparison, not all lists were read to their end.
  const checksumsIn = (list: { entries: number } | undefined) =>
    list === undefined || preview?.comparison === null
      ? ""
      : t("checksums", { count: list.entries, shown: count(list.entries) });
  const chosen = names.map((name) => {
    const known = found.find((list) => list.origin === "request" && list.name === name);
    return [name, lists.has(name) ? checksumsIn(known) : t("toChoose")] as const;
  });
  const manifests = found
    .filter(({ origin }) => origin === "bag")
    .map((list) => {
      const note = [t("manifest"), checksumsIn(list)].filter((words) => words !== "").join(", ");
      return [list.name, list.problem?.message ?? note] as const;
    });
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
          <dd>{folder === "" ? t(`default.${kind}`) : visible(folder)}</dd>
        </div>
      )}
    </>
  );
}

/** The folder of a bucket to which paths are relative if none is stated: the prefix up to its last slash, as the service computes it. */
function folderOf(prefix: string): string {
  return prefix.slice(0, prefix.lastIndexOf("/") + 1);
}
