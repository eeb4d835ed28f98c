import { ProblemError } from "@accession/client";
import { Box, Button } from "@mantine/core";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../text/format.ts";
import classes from "./ProblemAlert.module.css";
import { isAboutRegion, useProblemWords } from "./problemWords.ts";

type Problem = ProblemError["problem"];

/** A problem to show: of a request, or of a submission that has stopped. */
interface Trouble {
  title: string;
  /** In the language of the page. */
  detail?: string | undefined;
  /** What the service or a library says about this case, in English. */
  message?: string | undefined;
  action?: string | undefined;
  /** Who must act. */
  fault?: Problem["fault"] | undefined;
  code?: string | undefined;
  /** Id of the request, by which the operator finds the cause. */
  request?: string | undefined;
  /** Values that the API states about this case. */
  facts?: Pick<Problem, "code" | "region" | "s3Code" | "quota"> | undefined;
}

interface Props {
  trouble: Trouble;
  /** `bad` for an error, `warn` for a submission that waits for an action. */
  tone?: "bad" | "warn";
  /** Buttons for the next step. */
  children?: ReactNode;
}

/** What happened, who must act, and the next step; in the service’s own words where the page has none. */
export function TroubleAlert({ trouble, tone = "bad", children }: Props) {
  const { t, i18n } = useTranslation("ui");
  const words = useProblemWords()(trouble.code);
  const { detail, fault, code, request, facts } = trouble;
  const isTranslated = words !== undefined && i18n.language !== "en";
  const { title, action } = words ?? trouble;
  // The service’s text for this case can contain more than the text for all problems of the code.
  const specific = trouble.message ?? (words === undefined ? undefined : trouble.title);
  const message = trouble.message === trouble.title ? undefined : specific;
  return (
    <div role="alert" className={classes.alert} data-tone={tone}>
      <IconAlertTriangle size={22} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <p className={classes.title}>{title}</p>
        {detail !== undefined && <p>{detail}</p>}
        {message !== undefined && !isTranslated && <ServiceMessage text={message} />}
        {facts !== undefined && isTranslated && <Facts facts={facts} />}
        {(fault !== undefined || action !== undefined) && (
          <p>
            {fault !== undefined && <strong>{t(`actionRequired.${fault}`)}. </strong>}
            {action}
          </p>
        )}
        {children}
        {message !== undefined && isTranslated && <ServiceMessage text={message} />}
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
  /** Repeats the request, if repeating it is safe. */
  onRetry?: () => void;
}

/** Any error of a request. Errors of single fields are shown at the fields. */
export function ProblemAlert({ error, onRetry }: ProblemProps) {
  const { t } = useTranslation("ui");
  const network = { title: t("problem.network"), detail: t("problem.networkDetail") };
  return (
    <TroubleAlert trouble={error instanceof ProblemError ? troubleOf(error) : network}>
      {onRetry !== undefined && (
        <Box py="0.25rem">
          <Button variant="default" size="compact-sm" onClick={onRetry}>
            {t("retry")}
          </Button>
        </Box>
      )}
    </TroubleAlert>
  );
}

function troubleOf({ problem }: ProblemError): Trouble {
  const { title, detail: message, action, fault, code, instance } = problem;
  return { title, message, action, fault, code, request: instance?.split(":").at(-1), facts: problem };
}

/** The values of a problem as sentences, in place of the service’s English text. */
function Facts({ facts: { code, region, s3Code, quota } }: { facts: NonNullable<Trouble["facts"]> }) {
  const { t } = useTranslation("ui");
  const { bytes, count } = useFormats();
  const shown = quota?.of === "bytes" ? bytes : count;
  return (
    <>
      {region !== undefined && isAboutRegion(code) && <p>{t("problem.region", { region })}</p>}
      {s3Code !== undefined && <p>{t("problem.s3Code", { s3Code })}</p>}
      {quota !== undefined && (
        <p>
          {t(`problem.quota.${quota.of}`, {
            used: shown(quota.used),
            wanted: shown(quota.wanted),
            allowed: shown(quota.allowed),
          })}
        </p>
      )}
    </>
  );
}

/**
 * A message for which only English text exists: from the service, or from a library. An English page shows it as it is;
 * a page in another language shows its own text and keeps this one folded, for support.
 */
export function ServiceMessage({ text, className }: { text: string; className?: string | undefined }) {
  const { t, i18n } = useTranslation("ui");
  if (i18n.language === "en") return <p className={className}>{text}</p>;
  return (
    <details className={classes.message}>
      <summary>{t("problem.message")}</summary>
      <p lang="en">{text}</p>
    </details>
  );
}
