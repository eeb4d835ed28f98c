import type { Icon } from "@tabler/icons-react";
import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconBan from "@tabler/icons-react/dist/esm/icons/IconBan.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconCircleMinus from "@tabler/icons-react/dist/esm/icons/IconCircleMinus.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconInbox from "@tabler/icons-react/dist/esm/icons/IconInbox.mjs";
import IconList from "@tabler/icons-react/dist/esm/icons/IconList.mjs";
import IconPackage from "@tabler/icons-react/dist/esm/icons/IconPackage.mjs";
import IconShieldCheck from "@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs";
import { useTranslation } from "react-i18next";
import type { Status } from "../api/submissions.ts";
import classes from "./StatusBadge.module.css";

type Shown = Status | "withdrawn";
/** The colour and the icon of a state. */
export type Look = ["good" | "busy" | "warn" | "bad" | "calm", Icon];

const LOOKS: Record<Shown, Look> = {
  accepted: ["busy", IconInbox],
  listing: ["busy", IconList],
  transferring: ["busy", IconArrowDown],
  verifying: ["busy", IconShieldCheck],
  packaging: ["busy", IconPackage],
  completed: ["good", IconCheck],
  waiting: ["warn", IconClock],
  failed: ["bad", IconAlertTriangle],
  cancelled: ["calm", IconBan],
  withdrawn: ["calm", IconCircleMinus],
};

/** The status of a submission as a text, an icon and a colour. */
export function StatusBadge({ status }: { status: Shown }) {
  const { t } = useTranslation("ui");
  return <Badge look={LOOKS[status]}>{t(`status.${status}`)}</Badge>;
}

/** A state as a text, an icon and a colour. */
export function Badge({ look: [tone, Mark], children }: { look: Look; children: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      <Mark size={15} stroke={2} aria-hidden />
      {children}
    </span>
  );
}
