import type { Icon } from "@tabler/icons-react";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleDashed from "@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs";
import { useTranslation } from "react-i18next";
import { useForm } from "./form.ts";
import classes from "./New.module.css";
import { PARTS, type Part, partOf } from "./parts.ts";
import { useFormErrorsIn } from "./useFormErrors.ts";

type Tone = "good" | "bad" | "calm";
const ICONS: Record<Tone, Icon> = { good: IconCircleCheck, bad: IconAlertTriangle, calm: IconCircleDashed };

/** The four sections, each with its state. */
export function PartList() {
  const { t } = useTranslation("new");
  return (
    <nav aria-label={t("parts.label")}>
      <ol className={classes.parts}>
        {PARTS.map((part) => (
          <li key={part}>
            <PartLink part={part} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function PartLink({ part }: { part: Part }) {
  const { t } = useTranslation("new");
  const form = useForm();
  const [tone, words] = useStateOf(part);
  const Mark = ICONS[tone];
  return (
    <button
      type="button"
      className={classes.part}
      aria-current={form.part === part ? "step" : undefined}
      onClick={() => form.goTo(part)}
    >
      <Mark size={20} stroke={1.75} aria-hidden className={classes.mark} data-tone={tone} />
      <span className={classes.partWords}>
        <span className={classes.partName}>{t(`parts.${part}`)}</span>
        <span className={classes.partState} data-tone={tone}>
          {words}
        </span>
      </span>
    </button>
  );
}

/** The state of a section as a colour and a text. Missing entries count as errors only after an attempt to submit. */
function useStateOf(part: Part): [Tone, string] {
  const { t } = useTranslation("new");
  const formErrors = useFormErrorsIn(part);
  const { isRevealed, warnings, upload } = useForm();
  const wrong = formErrors.filter(({ kind }) => kind === "wrong").length;
  const missing = formErrors.length - wrong;
  if (part === "data-source" && (upload.status === "sending" || upload.status === "paused")) {
    return ["calm", t(`parts.${upload.status}`)];
  }
  if (part === "review") return formErrors.length === 0 ? ["good", t("parts.ready")] : ["calm", t("parts.notReady")];
  const doubts = warnings.filter(({ pointer }) => part === "data-source" && partOf(pointer) === part);
  if (formErrors.length === 0 && doubts.length > 0) return ["calm", t("parts.warned", { count: doubts.length })];
  if (formErrors.length === 0) return ["good", t("parts.complete")];
  const words = [
    ...(missing > 0 ? [t("parts.missing", { count: missing })] : []),
    ...(wrong > 0 ? [t("parts.wrong", { count: wrong })] : []),
  ];
  return [wrong > 0 || isRevealed ? "bad" : "calm", words.join(", ")];
}
