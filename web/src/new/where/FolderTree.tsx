import { Button } from "@mantine/core";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { useFormats } from "../../ui/format.ts";
import { Name } from "../../ui/Name.tsx";
import { Bytes } from "../../ui/Numbers.tsx";
import { visible } from "../../ui/visible.ts";
import { useForm } from "../form.ts";
import { Tick } from "./Tick.tsx";
import type { TickState } from "./ticks.ts";
import { growTree, type Node, totalOf } from "./tree.ts";
import { type Chosen, useTicks } from "./useTicks.ts";
import classes from "./Where.module.css";

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
      {ticks.refusal !== undefined && <p role="alert">{t(`preview.${ticks.refusal}`)}</p>}
      {ticks.chosen !== undefined && <Recount chosen={ticks.chosen} />}
    </div>
  );
}

/** The counted size of the current selection, and a button that counts again. */
function Recount({ chosen }: { chosen: Chosen }) {
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
  const { t } = useTranslation("new");
  const [isOpen, setOpen] = useState(isOpenFirst);
  const node = trail.at(-1);
  if (node === undefined) return null;
  const { kind, path, name, children } = node;
  const words = kind !== "folder" ? t(`preview.${kind}`) : path === "" ? t("preview.everything") : undefined;
  const state = stateOf(node);
  const label = words ?? (
    <code>
      <Name>{name}</Name>
    </code>
  );
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
        <Amount {...totalOf(node)} />
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

function Amount({ objects, bytes }: { objects: number; bytes: number }) {
  const { t } = useTranslation("ui");
  const { count } = useFormats();
  return (
    <span className={classes.amount}>
      {t("objects", { count: objects, shown: count(objects) })} · <Bytes value={bytes} />
    </span>
  );
}
