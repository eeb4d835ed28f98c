import { ProblemError } from "@accession/client";
import { Button } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import classes from "./ProblemAlert.module.css";
import { useProblemWords } from "./problemWords.ts";

type Fault = ProblemError["problem"]["fault"];

/** What is said of something that went wrong, by an answer or by a submission that stands still. */
export interface Trouble {
  title: string;
  detail?: string | undefined;
  action?: string | undefined;
  fault?: Fault | undefined;
  code?: string | undefined;
  /** Id of the request, by which the operator finds the cause. */
  request?: string | undefined;
}

interface Props {
  trouble: Trouble;
  /** `bad` for what has failed, `warn` for what waits for somebody. */
  tone?: "bad" | "warn";
  /** The buttons that help. */
  children?: ReactNode;
}

/** What happened, who must act, and the next step; in the service’s own words where the page has none. */
export function TroubleAlert({ trouble, tone = "bad", children }: Props) {
  const { t } = useTranslation("ui");
  const words = useProblemWords()(trouble.code);
  const { fault, code, request } = trouble;
  const { title, action } = words ?? trouble;
  // In the service’s words there can be more than in those that are for any problem of the code.
  const detail = words === undefined ? trouble.detail : (trouble.detail ?? trouble.title);
  return (
    <div role="alert" className={classes.alert} data-tone={tone}>
      <IconAlertTriangle size={22} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {detail !== undefined && detail !== title && <p lang={words === undefined ? undefined : "en"}>{detail}</p>}
        {(fault !== undefined || action !== undefined) && (
          <p>
            {fault !== undefined && <strong>{t(`turn.${fault}`)}. </strong>}
            {action}
          </p>
        )}
        {children}
        {code !== undefined && (
          <p className={classes.small}>
            {t("problem.code")} <code>{code}</code>
            {request !== undefined && (
              <>
                {" · "}
                {t("problem.request")} <code>{request}</code>
              </>
            )}
          </p>
        )}
      </div>
    </div>
  );
}

interface ProblemProps {
  error: Error;
  /** Asks once more, where that can be done without doing anything twice. */
  onRetry?: () => void;
}

/** Any error of a request. Faults that lie on a field are shown there, by {@link faultAt}. */
export function ProblemAlert({ error, onRetry }: ProblemProps) {
  const { t } = useTranslation("ui");
  const network = { title: t("problem.network"), detail: t("problem.networkDetail") };
  return (
    <TroubleAlert trouble={error instanceof ProblemError ? troubleOf(error) : network}>
      {onRetry !== undefined && (
        <div className={classes.retry}>
          <Button variant="default" size="compact-sm" onClick={onRetry}>
            {t("retry")}
          </Button>
        </div>
      )}
    </TroubleAlert>
  );
}

function troubleOf({ problem: { title, detail, action, fault, code, instance } }: ProblemError): Trouble {
  return { title, detail, action, fault, code, request: instance?.split(":").at(-1) };
}

/** What the service says of one member of the request, by its pointer such as `/metadata/title`. */
export function faultAt(error: Error | null, pointer: string): string | undefined {
  if (!(error instanceof ProblemError)) return undefined;
  return error.problem.errors?.find((fault) => fault.pointer === pointer)?.detail;
}
