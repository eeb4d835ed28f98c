import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { datasetDoisQuery, isQueued, useRepairDois } from "../api/dois.ts";
import { useCaller } from "../api/service.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import common from "../ui/Common.module.css";
import { Copyable } from "../ui/CopyButton.tsx";
import { ProblemAlert, ServiceMessage } from "../ui/problem/ProblemAlert.tsx";
import { focusIfLost } from "../ui/useCaughtFocus.ts";
import { DoiDifference } from "./DoiDifference.tsx";
import classes from "./Dois.module.css";
import "./words.ts";

/**
 * For curators and admins: in what DataCite differs from the archive about the DOIs of a dataset, and the next step. Nothing if the
 * last comparison found no differences.
 */
export function DatasetDois({ dataset }: { dataset: string }) {
  const { t } = useTranslation("dois");
  const mayRepair = useCaller()?.roles.includes("admin") ?? false;
  const notice = useRef<HTMLDivElement>(null);
  const { data = [] } = useQuery(datasetDoisQuery(dataset));
  const repair = useRepairDois(dataset);
  const isChecking = repair.isPending || (repair.isSuccess && data.some(isQueued));
  // What was found before stays visible while it is compared again.
  const found = data.filter(({ differences, problem }) => differences.length > 0 || problem !== null);
  if (found.length === 0 && !repair.isSuccess) return null;
  const isDifferent = found.some(({ differences }) => differences.length > 0);
  const nextStep = mayRepair ? "one.admin" : "one.curator";
  return (
    <div ref={notice} tabIndex={-1} role="status" className={classes.notice}>
      {found.length === 0 && <p>{t(isChecking ? "one.checking" : "one.repaired")}</p>}
      {found.length > 0 && (
        <>
          <p className={classes.title}>{t(isDifferent ? "one.title" : "one.problem")}</p>
          <ul className={common.list}>
            {found.map((doi) => (
              <li key={doi.doi}>
                <code>{doi.doi}</code>
                <span className={common.small}>
                  <DoiDifference doi={doi} />
                </span>
                {doi.problem !== null && (
                  <ServiceMessage text={`${doi.problem.message}. ${doi.problem.action}`} className={common.small} />
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {isDifferent && <p>{t(isChecking ? "one.checking" : nextStep)}</p>}
      {isDifferent && !mayRepair && (
        <Copyable text={`accession doi check --repair ${dataset}`} what={t("one.command")} />
      )}
      {repair.error !== null && <ProblemAlert error={repair.error} />}
      {isDifferent && mayRepair && (
        <BusyButton
          variant="default"
          isBusy={isChecking}
          onClick={() => repair.mutate(undefined, { onSuccess: () => focusIfLost(notice) })}
        >
          {t("one.repair")}
        </BusyButton>
      )}
    </div>
  );
}
