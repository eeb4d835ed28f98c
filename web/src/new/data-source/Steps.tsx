import { Code, Loader, Stack, Title, VisuallyHidden } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconMinus from "@tabler/icons-react/dist/esm/icons/IconMinus.mjs";
import IconX from "@tabler/icons-react/dist/esm/icons/IconX.mjs";
import { useTranslation } from "react-i18next";
import type { Report, Step } from "../../api/intake.ts";
import formClasses from "../../metadata-form/Form.module.css";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { ServiceMessage } from "../../ui/problem/ProblemAlert.tsx";
import { isAboutRegion, useProblemWords } from "../../ui/problem/problemWords.ts";
import { useFormats, visible } from "../../ui/text/format.ts";
import classes from "./DataSource.module.css";

const NAMES = ["address", "connect", "tls", "clock", "signature", "bucket", "list", "read"] as const;
const LOOKS: Record<Step["status"], [Icon, tone?: string]> = {
  passed: [IconCheck, "good"],
  failed: [IconX, "bad"],
  warning: [IconAlertTriangle, "warn"],
  skipped: [IconMinus],
};

interface Props {
  /** Undefined while the test runs. */
  report: Report | undefined;
  /** The completed steps of a running test. */
  passed?: ReadonlyMap<Step["name"], Step>;
}

/** The steps of a connection test: passed, failed with cause and solution, not reached, or still pending. */
export function Steps({ report, passed }: Props) {
  const { t } = useTranslation("new");
  const slow = [...(passed?.values() ?? [])].find(isRunning);
  const words = report === undefined ? t("check.running") : t(`check.${outcomeOf(report)}`);
  return (
    <Stack gap="sm" component="section" aria-label={t("check.title")}>
      <Title order={3} size="h4" className={classes.outcome} data-ok={report?.ok}>
        {report === undefined && <Loader size={18} aria-hidden />}
        {words}
      </Title>
      <VisuallyHidden role="status">
        {words} {report === undefined && slow !== undefined && <Note step={slow} />}
      </VisuallyHidden>
      {report !== undefined && !report.ok && report.steps.every(({ status }) => status !== "failed") && (
        <ServiceMessage text={report.message} className={classes.detail} />
      )}
      <ol className={classes.steps}>
        {NAMES.map((name) => {
          const step = report?.steps.find((one) => one.name === name) ?? passed?.get(name);
          return step === undefined ? (
            <li key={name}>{t(`check.steps.${name}`)}</li>
          ) : (
            <StepLine key={name} step={step} />
          );
        })}
      </ol>
      {report !== undefined && <Policy policy={report.policy} isOpen={lacksRights(report)} />}
    </Stack>
  );
}

/** The result of a test. A test that found no object has passed, but there is nothing to submit. */
export function outcomeOf({ ok, steps }: Report): "passed" | "passedEmpty" | "failed" {
  if (!ok) return "failed";
  return steps.some(({ note }) => note !== null && EMPTY.includes(note)) ? "passedEmpty" : "passed";
}

const EMPTY: readonly string[] = ["bucket_empty", "prefix_unmatched"] satisfies Step["note"][];

/** Error codes of a step if the server accepts the keys but denies an operation that a submission needs. */
const MISSING_RIGHTS: readonly (string | null)[] = ["list_denied", "read_denied"] satisfies Step["code"][];

/** Whether a policy solves the problem. For other problems, showing one would mislead the user. */
function lacksRights({ steps }: Report): boolean {
  return steps.some(({ status, code }) => status === "failed" && MISSING_RIGHTS.includes(code));
}

/** Whether a step has no result yet, and only tells how long it has taken. */
function isRunning({ note }: Step): boolean {
  return note === "listing_slow";
}

function StepLine({ step }: { step: Step }) {
  const { t } = useTranslation("new");
  const { name } = step;
  const status = isRunning(step) ? "skipped" : step.status;
  const [Mark, tone] = LOOKS[status];
  const isReached = step.note !== "not_reached";
  const words = isRunning(step) ? "check.running" : (`check.status.${isReached ? status : "unreached"}` as const);
  return (
    <li data-status={status} data-tone={tone}>
      <Mark size={18} stroke={2} aria-hidden />
      <span className={classes.stepName}>{t(`check.steps.${name}`)}</span>
      <span className={classes.stepStatus}>{t(words)}</span>
      {isReached && (
        <div className={classes.detail}>{status === "failed" ? <Failure step={step} /> : <Note step={step} />}</div>
      )}
    </li>
  );
}

/** Why a step failed, and how to fix it. */
function Failure({ step: { code, detail, hint, values } }: { step: Step }) {
  const { t, i18n } = useTranslation("ui");
  const words = useProblemWords()(code);
  const { s3Code } = values;
  const region = isAboutRegion(code) ? values.region : undefined;
  if (words === undefined || i18n.language === "en") {
    return (
      <>
        {detail}
        <strong>{words?.action ?? hint}</strong>
      </>
    );
  }
  return (
    <>
      {words.title}
      {region !== undefined && <span>{t("problem.region", { region })}</span>}
      {s3Code !== undefined && <span>{t("problem.s3Code", { s3Code })}</span>}
      <strong>{words.action}</strong>
      <ServiceMessage text={detail} />
    </>
  );
}

/** What a step found. */
function Note({ step: { note, detail, hint, values } }: { step: Step }) {
  const { t } = useTranslation("new");
  const { count } = useFormats();
  const {
    host = "",
    addresses = [],
    minutes = 0,
    prefix = "",
    objects = 0,
    key = "",
    seconds = 0,
    limitSeconds: limit = 0,
  } = values;
  // The endpoint is a number, which has no other address.
  if (note === "address_resolved" && addresses.every((address) => host.includes(address))) return null;
  if (note === null) return <ServiceMessage text={`${detail} ${hint}`.trim()} />;
  return (
    <>
      {t(`check.notes.${note}`, {
        host,
        addresses: addresses.join(", "),
        prefix: visible(prefix),
        key: visible(key),
        seconds: count(seconds),
        limit: count(limit),
        count: note === "clocks_differ" ? minutes : objects,
        shown: count(objects),
      })}
    </>
  );
}

function Policy({ policy, isOpen }: { policy: unknown; isOpen: boolean }) {
  const { t } = useTranslation("new");
  const text = JSON.stringify(policy, null, 2);
  if (text === "{}") return null;
  return (
    <details className={formClasses.fold} open={isOpen}>
      <summary>{t("check.policy")}</summary>
      <div className={classes.policy}>
        <p className={classes.detail}>{t("check.policyDetail")}</p>
        <div className={classes.paste}>
          <Code block tabIndex={0} role="region" aria-label={t("check.policyName")}>
            {text}
          </Code>
          <CopyButton text={text} what={t("check.policyName")} />
        </div>
      </div>
    </details>
  );
}
