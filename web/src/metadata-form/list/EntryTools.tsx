import { ActionIcon } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import classes from "./List.module.css";

interface Props {
  /** Identifies the entry in the ids of the buttons. */
  id: string;
  /** The entry, for the names of the buttons. */
  name: string;
  index: number;
  isLast: boolean;
  /** @param by the button that was pressed, which gets the focus back */
  onMove: (from: number, to: number, by: "up" | "down") => void;
  onRemove: (index: number) => void;
}

/** The buttons that move and remove an entry of a list. */
export function EntryTools({ id, name, index, isLast, onMove, onRemove }: Props) {
  const { t } = useTranslation("new");
  return (
    <>
      <Tool
        id={`up-${id}`}
        icon={IconArrowUp}
        label={t("list.up", { name })}
        isOff={index === 0}
        onClick={() => onMove(index, index - 1, "up")}
      />
      <Tool
        id={`down-${id}`}
        icon={IconArrowDown}
        label={t("list.down", { name })}
        isOff={isLast}
        onClick={() => onMove(index, index + 1, "down")}
      />
      <Tool id={`remove-${id}`} icon={IconTrash} label={t("list.remove", { name })} onClick={() => onRemove(index)} />
    </>
  );
}

/** Moves an entry with Alt and an arrow key. For the element that contains the buttons. */
export function onArrowKeys(index: number, onMove: Props["onMove"]) {
  return (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (step === 0 || !event.altKey) return;
    event.preventDefault();
    onMove(index, index + step, step < 0 ? "up" : "down");
  };
}

interface ToolProps {
  id: string;
  icon: Icon;
  label: string;
  /** Not removed from the page, so that a keyboard user who moves an entry to the end keeps the focus. */
  isOff?: boolean;
  onClick: () => void;
}

function Tool({ id, icon: Mark, label, isOff = false, onClick }: ToolProps) {
  return (
    <ActionIcon
      id={id}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      aria-disabled={isOff || undefined}
      className={classes.tool}
      onClick={onClick}
    >
      <Mark size={18} aria-hidden />
    </ActionIcon>
  );
}
