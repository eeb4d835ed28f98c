import IconAlertTriangle from "@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs";
import IconArrowBackUp from "@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs";
import IconBan from "@tabler/icons-react/dist/esm/icons/IconBan.mjs";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconCircleMinus from "@tabler/icons-react/dist/esm/icons/IconCircleMinus.mjs";
import IconClock from "@tabler/icons-react/dist/esm/icons/IconClock.mjs";
import IconInbox from "@tabler/icons-react/dist/esm/icons/IconInbox.mjs";
import IconLock from "@tabler/icons-react/dist/esm/icons/IconLock.mjs";
import IconWorld from "@tabler/icons-react/dist/esm/icons/IconWorld.mjs";
import { useTranslation } from "react-i18next";
import type { PublicationState } from "../api/publications.ts";
import { Badge, type Look } from "../ui/StatusBadge.tsx";
import "./words.ts";

const LOOKS: Record<PublicationState, Look> = {
  private: ["calm", IconLock],
  in_review: ["busy", IconInbox],
  changes_requested: ["warn", IconArrowBackUp],
  declined: ["calm", IconBan],
  approved: ["good", IconCheck],
  registering: ["busy", IconClock],
  published: ["good", IconWorld],
  withdrawn: ["calm", IconCircleMinus],
};

const DELAYED: Look = ["warn", IconAlertTriangle];

/** The state of a publication as a text, an icon and a colour. */
export function PublicationBadge({ state, isDelayed = false }: { state: PublicationState; isDelayed?: boolean }) {
  const { t } = useTranslation("publication");
  return <Badge look={isDelayed ? DELAYED : LOOKS[state]}>{t(`states.${state}`)}</Badge>;
}
