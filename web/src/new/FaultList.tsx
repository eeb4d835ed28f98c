import { Anchor } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import { useTranslation } from "react-i18next";
import type { Fault } from "./faults.ts";
import { useForm } from "./form.ts";
import classes from "./Remarks.module.css";
import { useFaultWords, useFieldNames } from "./useFaults.ts";

/** What has to be done before the bucket can be submitted, each with the way to its field. */
export function FaultList({ faults, isUrgent }: { faults: readonly Fault[]; isUrgent: boolean }) {
  const { t } = useTranslation("new");
  const { goToField } = useForm();
  const wordsOf = useFaultWords();
  const nameOf = useFieldNames();
  return (
    <section className={classes.remarks} data-tone={isUrgent ? "bad" : "calm"} aria-labelledby="faults">
      <IconAlertTriangle size={22} aria-hidden />
      <div>
        <h3 id="faults">{t("review.faults", { count: faults.length })}</h3>
        <ul>
          {faults.map((fault) => (
            <li key={`${fault.pointer} ${wordsOf(fault)}`}>
              <RemarkLine where={nameOf(fault.pointer)} detail={wordsOf(fault)} onGo={() => goToField(fault.pointer)} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

/** One remark, and the way to its field. @param where what the field is called */
export function RemarkLine({ where, detail, onGo }: { where: string; detail: string; onGo: () => void }) {
  return (
    <>
      <Anchor component="button" type="button" inherit underline="always" onClick={onGo}>
        {where}
      </Anchor>
      : {detail}
    </>
  );
}
