import { ActionIcon, UnstyledButton } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import IconArrowDown from "@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs";
import IconArrowUp from "@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs";
import IconTrash from "@tabler/icons-react/dist/esm/icons/IconTrash.mjs";
import { type KeyboardEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import type { Person } from "../draft.ts";
import { labelOf } from "../request.ts";
import { AuthorFields } from "./AuthorFields.tsx";
import classes from "./Authors.module.css";
import { roleOf } from "./authors.ts";

interface Props {
  author: Person;
  /** The previous author, whose affiliation and address can be copied. */
  before: Person | undefined;
  index: number;
  isLast: boolean;
  isOpen: boolean;
  /** The number of errors to show. */
  toDo: number;
  setOpen: (author: string, isOpen: boolean) => void;
  /** @param by the button that was pressed, which gets the focus back */
  onMove: (from: number, to: number, by: "up" | "down") => void;
  onRemove: (author: Person) => void;
}

/**
 * One author: name and role, buttons that change the order, and the fields if expanded. Rendered again only when the
 * author changes, because a list can have several hundred authors.
 */
export const AuthorCard = memo(function AuthorCard(props: Props) {
  const { author, before, index, isLast, isOpen, toDo, setOpen, onMove, onRemove } = props;
  const { t } = useTranslation("new");
  const name = labelOf(author) || t("authors.unnamed");
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (step === 0 || !event.altKey) return;
    event.preventDefault();
    onMove(index, index + step, step < 0 ? "up" : "down");
  };
  return (
    <li className={classes.author}>
      {/* Only here: in the fields below, the same keys open a select list. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles key events of the buttons in it. */}
      <div className={classes.head} onKeyDown={onKeyDown}>
        <UnstyledButton
          className={classes.name}
          aria-expanded={isOpen}
          aria-controls={`fields-${author.id}`}
          onClick={() => setOpen(author.id, !isOpen)}
        >
          <span className={classes.number}>{index + 1}.</span> <span className={classes.who}>{name}</span>
          <Summary role={author.role} toDo={toDo} />
        </UnstyledButton>
        <Tool
          id={`up-${author.id}`}
          icon={IconArrowUp}
          label={t("authors.up", { name })}
          isOff={index === 0}
          onClick={() => onMove(index, index - 1, "up")}
        />
        <Tool
          id={`down-${author.id}`}
          icon={IconArrowDown}
          label={t("authors.down", { name })}
          isOff={isLast}
          onClick={() => onMove(index, index + 1, "down")}
        />
        <Tool icon={IconTrash} label={t("authors.remove", { name })} onClick={() => onRemove(author)} />
      </div>
      <div id={`fields-${author.id}`} hidden={!isOpen}>
        {isOpen && <AuthorFields author={author} before={before} index={index} />}
      </div>
    </li>
  );
});

/** The role, and the number of errors. */
function Summary({ role: text, toDo }: { role: string; toDo: number }) {
  const { t } = useTranslation("new");
  const role = roleOf(text);
  return (
    <span className={classes.role}>
      {role === undefined ? text : t(`roles.${role}`)}
      {toDo > 0 && <span className={classes.formError}> · {t("authors.errors", { count: toDo })}</span>}
    </span>
  );
}

interface ToolProps {
  id?: string;
  icon: Icon;
  label: string;
  /** Not removed from the page, so that a keyboard user who moves an author to the end keeps the focus. */
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
