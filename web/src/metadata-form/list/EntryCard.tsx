import { UnstyledButton } from "@mantine/core";
import { type ComponentType, memo } from "react";
import { useTranslation } from "react-i18next";
import common from "../../ui/Common.module.css";
import { EntryTools, onArrowKeys } from "./EntryTools.tsx";
import classes from "./List.module.css";

interface Props<E extends { id: string }> {
  entry: E;
  index: number;
  /** The display name of the entry. */
  name: string;
  /** Further information in the same line, such as the role of an author. */
  kind: string;
  isLast: boolean;
  isOpen: boolean;
  /** The number of errors to show. */
  toDo: number;
  Fields: ComponentType<{ entry: E; index: number }>;
  setOpen: (entry: string, isOpen: boolean) => void;
  onMove: (from: number, to: number, by: "up" | "down") => void;
  onRemove: (index: number) => void;
}

function Card<E extends { id: string }>(props: Props<E>) {
  const { entry, index, name, kind, isLast, isOpen, toDo, Fields, setOpen, onMove, onRemove } = props;
  const { t } = useTranslation("new");
  return (
    <li className={classes.entry}>
      {/* Only here: in the fields below, the same keys open a select list. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles key events of the buttons in it. */}
      <div className={classes.head} onKeyDown={onArrowKeys(index, onMove)}>
        <UnstyledButton
          id={`entry-${entry.id}`}
          className={classes.name}
          aria-expanded={isOpen}
          aria-controls={`fields-${entry.id}`}
          onClick={() => setOpen(entry.id, !isOpen)}
        >
          <span className={classes.who}>
            <span className={classes.number}>{index + 1}.</span> {name}
          </span>
          <span className={common.dimmed}>
            {kind}
            {toDo > 0 && (
              <span className={classes.formError}>
                {kind !== "" && " · "}
                {t("list.errors", { count: toDo })}
              </span>
            )}
          </span>
        </UnstyledButton>
        <EntryTools id={entry.id} name={name} index={index} isLast={isLast} onMove={onMove} onRemove={onRemove} />
      </div>
      <div id={`fields-${entry.id}`} hidden={!isOpen}>
        {isOpen && <Fields entry={entry} index={index} />}
      </div>
    </li>
  );
}

/**
 * One entry of a list: its name, buttons that change the order, and the fields if expanded. Rendered again only when the
 * entry changes, because a list can have several hundred entries.
 */
export const EntryCard = memo(Card) as typeof Card;
