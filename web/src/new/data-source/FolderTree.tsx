import { Button, Text } from "@mantine/core";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { useFormats, visible } from "../../ui/text/format.ts";
import { KeyName } from "../../ui/text/Name.tsx";
import { Bytes } from "../../ui/text/Numbers.tsx";
import { useForm } from "../form.ts";
import { linesOf } from "../request.ts";
import classes from "./DataSource.module.css";
import type { TickState } from "./ticks.ts";
import { absorbed, countedState, statesOf } from "./ticks.ts";
import { toggled } from "./toggle.ts";
import { type Amount, growTree, type Node, totalOf } from "./tree.ts";

/** The service accepts at most this many patterns of one kind. */
const MOST_PATTERNS = 100;

/** Why a check box did not change. */
type Refusal = "tooManyTicks" | "unlistedFolders";

interface Props {
  /** The label for screen readers. */
  name: string;
  state: TickState;
  /** Shows a state that the user cannot change here. */
  isFixed: boolean;
  onChange: () => void;
}

/** The upper folders of the bucket with their sizes. Check boxes select folders; a folder opens its subfolders. */
export function FolderTree({ preview }: { preview: Preview }) {
  const { t } = useTranslation("new");
  const root = useMemo(() => growTree(preview), [preview]);
  const ticks = useTicks(root);
  return (
    <div>
      <h4 className={classes.small}>{t("preview.folders")}</h4>
      <p className={classes.detail}>{t("preview.tick")}</p>
      <ul className={classes.tree}>
        <Branch trail={[root]} stateOf={ticks.stateOf} onToggle={ticks.toggle} isOpen />
      </ul>
      {ticks.refusal !== undefined && (
        <Text role="alert" my="1em">
          {t(`preview.${ticks.refusal}`)}
        </Text>
      )}
      {ticks.chosen !== undefined && <Recount chosen={ticks.chosen} />}
    </div>
  );
}

/** The counted size of the current selection, and a button that counts again. */
function Recount({ chosen }: { chosen: Amount }) {
  const { t } = useTranslation(["new", "ui"]);
  const { count, bytes } = useFormats();
  const { connection } = useForm();
  const objects = t("ui:objects", { count: chosen.objects, shown: count(chosen.objects) });
  return (
    <div className={classes.recount}>
      <span role="status">{t("preview.chosen", { objects, bytes: bytes(chosen.bytes) })}</span>
      <Button variant="light" size="compact-sm" loading={connection.isTesting} onClick={connection.test}>
        {t("preview.recount")}
      </Button>
    </div>
  );
}

interface BranchProps {
  /** From the root to the node that this shows. */
  trail: readonly Node[];
  stateOf: (node: Node) => TickState;
  onToggle: (trail: readonly Node[]) => void;
  isOpen?: boolean;
}

function Branch({ trail, stateOf, onToggle, isOpen: isOpenFirst = false }: BranchProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const wordsOf = useNodeWords();
  const node = trail.at(-1);
  if (node === undefined) return null;
  const { kind, name, children } = node;
  const words = wordsOf(node);
  const state = stateOf(node);
  const label = words ?? <KeyName>{name}</KeyName>;
  return (
    <li>
      <div className={classes.branch} data-state={state}>
        <Tick name={words ?? visible(name)} state={state} isFixed={kind === "rest"} onChange={() => onToggle(trail)} />
        {children.length > 0 ? (
          <button type="button" className={classes.folder} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <IconChevronRight size={16} aria-hidden className={classes.chevron} />
            {label}
          </button>
        ) : (
          <span className={classes.folder}>{label}</span>
        )}
        <Size {...totalOf(node)} />
      </div>
      {isOpen && children.length > 0 && (
        <ul className={classes.tree}>
          {children.map((child) => (
            <Branch
              key={`${child.kind} ${child.path}`}
              trail={[...trail, child]}
              stateOf={stateOf}
              onToggle={onToggle}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Gives the label of a node that is not a folder with a name; undefined for the others. */
function useNodeWords(): (node: Node) => string | undefined {
  const { t } = useTranslation("new");
  return ({ kind, path }) => {
    if (kind === "rest") return t("preview.rest");
    if (kind === "own") {
      const folder = visible(path.split("/").at(-2) ?? "");
      return path === "" ? t("preview.ownTop") : t("preview.own", { folder: `${folder}/` });
    }
    return path === "" ? t("preview.everything") : undefined;
  };
}

function Size({ objects, bytes }: Amount) {
  const { t } = useTranslation("ui");
  const { count } = useFormats();
  return (
    <span className={classes.amount}>
      {t("objects", { count: objects, shown: count(objects) })} · <Bytes value={bytes} />
    </span>
  );
}

/** A check box with three states. HTML has no attribute for the third, so it is set as a property. */
function Tick({ name, state, isFixed, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = state === "mixed";
  }, [state]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.tick}
      aria-label={name}
      checked={state === "on"}
      disabled={isFixed}
      onChange={onChange}
    />
  );
}

/** The states of a preview's check boxes, and how to change one. */
function useTicks(root: Node) {
  const { draft, setDataSource, connection } = useForm();
  const { dataSource } = draft;
  const [refusal, setRefusal] = useState<Refusal>();
  const now = useMemo(() => absorbed(dataSource), [dataSource]);
  const typed = { include: linesOf(now.include), exclude: linesOf(now.exclude) };
  const isTyped = typed.include.length > 0;
  const states = useMemo(() => statesOf(root, now, isTyped), [root, now, isTyped]);
  // The count of the service took all patterns into account; after a change only the ticks are known.
  const stateOf = (node: Node): TickState => (connection.isStale ? states.get(node) : undefined) ?? countedState(node);
  const toggle = (trail: readonly Node[]) => {
    const node = trail.at(-1);
    if (node === undefined) return;
    const ticks = toggled(now, { trail, to: stateOf(node) === "on" ? "off" : "on", isTyped });
    if (ticks === undefined) return setRefusal("unlistedFolders");
    const most = Math.max(typed.include.length + ticks.chosen.length, typed.exclude.length + ticks.leftOut.length);
    if (most > MOST_PATTERNS) return setRefusal("tooManyTicks");
    setRefusal(undefined);
    setDataSource({ ...now, ...ticks });
  };
  const isKnown = connection.isStale && typed.include.length + typed.exclude.length === 0;
  return { stateOf, toggle, refusal, chosen: isKnown ? sumOf(root, states) : undefined };
}

/** The size of the ticked objects; undefined if patterns select a part of a node that was counted as a whole. */
function sumOf(node: Node, states: ReadonlyMap<Node, TickState>): Amount | undefined {
  const state = states.get(node);
  if (state === "on") return totalOf(node);
  if (state === "off") return { objects: 0, bytes: 0 };
  if (node.children.length === 0) return undefined;
  const sum = { objects: 0, bytes: 0 };
  for (const child of node.children) {
    const part = sumOf(child, states);
    if (part === undefined) return undefined;
    sum.objects += part.objects;
    sum.bytes += part.bytes;
  }
  return sum;
}
