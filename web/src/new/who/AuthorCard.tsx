import { ActionIcon, UnstyledButton } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Person } from "../draft.ts";
import { useForm } from "../form.ts";
import { isWithin } from "../parts.ts";
import { nameOf } from "../request.ts";
import { AuthorFields } from "./AuthorFields.tsx";
import { roleOf } from "./authors.ts";
import classes from "./Who.module.css";

interface Props {
  author: Person;
  /** The one before, from whom some of it can be copied. */
  before: Person | undefined;
  index: number;
  isLast: boolean;
  /** @param by which button it was, to come back to it */
  onMove: (to: number, by: "up" | "down") => void;
  onRemove: () => void;
}

/** One author: who and which role, the way up and down the list, and the fields when they are wanted. */
export function AuthorCard({ author, before, index, isLast, onMove, onRemove }: Props) {
  const { t } = useTranslation("new");
  const { openAuthors, setOpen } = useForm();
  const isOpen = openAuthors.has(author.id);
  const name = nameOf(author) || t("who.unnamed");
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (step === 0 || !event.altKey) return;
    event.preventDefault();
    onMove(index + step, step < 0 ? "up" : "down");
  };
  return (
    <li className={classes.author} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.name}
          aria-expanded={isOpen}
          aria-controls={`fields-${author.id}`}
          onClick={() => setOpen(author.id, !isOpen)}
        >
          <span className={classes.number}>{index + 1}.</span> <span className={classes.who}>{name}</span>
          <Summary author={author} index={index} />
        </UnstyledButton>
        <Tool
          id={`up-${author.id}`}
          icon={IconArrowUp}
          label={t("who.up", { name })}
          isOff={index === 0}
          onClick={() => onMove(index - 1, "up")}
        />
        <Tool
          id={`down-${author.id}`}
          icon={IconArrowDown}
          label={t("who.down", { name })}
          isOff={isLast}
          onClick={() => onMove(index + 1, "down")}
        />
        <Tool icon={IconTrash} label={t("who.remove", { name })} onClick={onRemove} />
      </div>
      <div id={`fields-${author.id}`} hidden={!isOpen}>
        {isOpen && <AuthorFields author={author} before={before} index={index} />}
      </div>
    </li>
  );
}

/** The role, and what is wrong inside while it is folded. */
function Summary({ author, index }: { author: Person; index: number }) {
  const { t } = useTranslation("new");
  const { faults, isRevealed } = useForm();
  const role = roleOf(author.role);
  const inside = faults.filter(({ pointer }) => isWithin(pointer, `/metadata/authors/${index}`));
  const isSaid = inside.some(({ kind }) => kind === "wrong" || isRevealed);
  return (
    <span className={classes.role}>
      {role === undefined ? author.role : t(`roles.${role}`)}
      {isSaid && <span className={classes.fault}> · {t("who.faults", { count: inside.length })}</span>}
    </span>
  );
}

interface ToolProps {
  id?: string;
  icon: Icon;
  label: string;
  /** Stays where it is, so that nobody who moves an author to the end is lost. */
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
