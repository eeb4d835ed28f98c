import { Anchor } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconInfoCircle from "@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Remark, titleTakenQuery } from "../../api/intake.ts";
import { useForm } from "../form.ts";
import { useFaultWords } from "../useFaultWords.ts";
import classes from "./Review.module.css";

/** What has to be done before the bucket can be submitted, each with the way to its field. */
export function FaultList({ isUrgent }: { isUrgent: boolean }) {
  const { t } = useTranslation("new");
  const { faults, goToField } = useForm();
  const wordsOf = useFaultWords();
  const nameOf = useNameOf();
  return (
    <section className={classes.remarks} data-tone={isUrgent ? "bad" : "calm"} aria-labelledby="faults">
      <IconAlertTriangle size={22} aria-hidden />
      <div>
        <h3 id="faults">{t("review.faults", { count: faults.length })}</h3>
        <ul>
          {faults.map((fault) => (
            <li key={`${fault.pointer} ${wordsOf(fault)}`}>
              <Line where={nameOf(fault.pointer)} detail={wordsOf(fault)} onGo={() => goToField(fault.pointer)} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** What is no fault, and yet worth a thought. */
export function WarningList() {
  const { t } = useTranslation("new");
  const { draft, warnings, dataset, goToField } = useForm();
  const title = draft.what.title.trim();
  const { data: isTaken = false } = useQuery(titleTakenQuery(dataset === undefined ? title : ""));
  const nameOf = useNameOf();
  const others = useFaultWords();
  const all = [
    ...(isTaken ? [{ pointer: "/metadata/title", detail: t("review.titleTaken") }] : []),
    ...warnings.map((warning) => ({ pointer: warning.pointer, detail: wordsOf(warning) })),
  ];
  function wordsOf(warning: Remark): string {
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
              <Line where={nameOf(pointer)} detail={detail} onGo={() => goToField(pointer)} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** Warnings that have words in every language; of others the service's own are shown. */
const WARNINGS = ["description_missing", "description_short", "description_long", "license_missing"] as const;

function Line({ where, detail, onGo }: { where: string; detail: string; onGo: () => void }) {
  return (
    <>
      <Anchor component="button" type="button" inherit underline="always" onClick={onGo}>
        {where}
      </Anchor>
      : {detail}
    </>
  );
}

/** How the field of a member is called. */
function useNameOf(): (pointer: string) => string {
  const { t } = useTranslation("new");
  return (pointer) => {
    const [, index, name] = /^\/metadata\/authors\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
    if (index !== undefined) {
      const author = t("review.author", { number: Number(index) + 1 });
      const field = AUTHOR.find((one) => one === name);
      return field === undefined ? author : `${author}, ${t(`who.${field}`)}`;
    }
    const last = pointer.split("/")[2] ?? "";
    const what = WHAT.find((one) => one === last);
    if (pointer.startsWith("/metadata")) return what === undefined ? t("parts.who") : t(`what.${what}`);
    const where = WHERE.find((one) => one === last);
    return where === undefined ? t("parts.where") : t(`where.${where}`);
  };
}

const AUTHOR = [
  "firstName",
  "lastName",
  "role",
  "orcid",
  "affiliation",
  "rorid",
  "address",
  "zipCode",
  "city",
  "country",
] as const;
const WHAT = ["title", "description", "language", "subjects", "license"] as const;
const WHERE = [
  "endpoint",
  "bucket",
  "region",
  "accessKey",
  "secretKey",
  "sessionToken",
  "prefix",
  "include",
  "exclude",
] as const;
