import { useTranslation } from "react-i18next";
import type { Doi } from "../api/dois.ts";
import en from "../words/en/dois.json";
import "./words.ts";

/** Which version a DOI is for, and in what DataCite differs from the archive. */
export function DoiDifference({ doi: { version, differences, problem } }: { doi: Doi }) {
  const { t } = useTranslation("dois");
  const of = version === null ? t("allVersions") : t("version", { ns: "ui", version });
  const what = differences.map((name) => (isNamed(name) ? t(`what.${name}`) : name)).join(", ");
  return (
    <>
      {of}
      {what !== "" && ` · ${t("differs", { what })}`}
      {problem !== null && ` · ${t("failed")}`}
    </>
  );
}

/** Whether an attribute of DataCite’s API has a name on the page. */
function isNamed(name: string): name is keyof typeof en.what {
  return Object.hasOwn(en.what, name);
}
