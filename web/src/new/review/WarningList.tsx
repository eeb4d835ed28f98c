import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { titleTakenQuery } from "../../api/intake.ts";
import { useForm } from "../form.ts";
import { RemarkLine } from "../RemarkLine.tsx";
import classes from "../Remarks.module.css";
import type { Warning } from "../tested.ts";
import { useFaultWords } from "../useFaultWords.ts";
import { useFieldNames } from "../useFieldNames.ts";

/** What is no fault, and yet worth a thought. */
export function WarningList() {
  const { t } = useTranslation("new");
  const { draft, warnings, dataset, goToField } = useForm();
  const title = draft.what.title.trim();
  const { data: isTaken = false } = useQuery(titleTakenQuery(dataset === undefined ? title : ""));
  const nameOf = useFieldNames();
  const others = useFaultWords();
  const all = [
    ...(isTaken ? [{ pointer: "/metadata/title", detail: t("review.titleTaken") }] : []),
    ...warnings.map((warning) => ({ pointer: warning.pointer, detail: wordsOf(warning) })),
  ];
  function wordsOf(warning: Warning): string {
    const known = WARNINGS.find((one) => one === warning.code);
    return known === undefined ? others(warning) : t(`warnings.${known}`);
  }
  if (all.length === 0) return null;
  return (
    <section className={classes.remarks} data-tone="warn" aria-labelledby="warnings">
      <IconInfoCircle size={22} aria-hidden />
      <div>
        <h3 id="warnings">{t("review.warnings", { count: all.length })}</h3>
        <ul>
          {all.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>
              <RemarkLine where={nameOf(pointer)} detail={detail} onGo={() => goToField(pointer)} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Warnings that have words in every language; of others the service's own are shown. */
const WARNINGS = [
  "description_missing",
  "description_short",
  "description_long",
  "license_missing",
  "no_room",
  "to_be_restored",
] as const;
