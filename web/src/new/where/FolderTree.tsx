import { useTranslation } from "react-i18next";
import type { Preview } from "../../api/intake.ts";
import { useFormats } from "../../ui/format.ts";
import { Name } from "../../ui/Name.tsx";
import { Bytes } from "../../ui/Numbers.tsx";
import { growTree, type Node } from "./tree.ts";
import classes from "./Where.module.css";

/** The bucket's upper folders with what lies below each; a folder opens its own. */
export function FolderTree({ preview }: { preview: Preview }) {
  const { t } = useTranslation("new");
  const root = growTree(preview);
  return (
    <div>
      <h4 className={classes.small}>{t("preview.folders")}</h4>
      <ul className={classes.tree}>
        {root.folders.map((folder) => (
          <Branch key={folder.path} node={folder} />
        ))}
        {root.own.objects > 0 && <Own node={root} />}
      </ul>
    </div>
  );
}

function Branch({ node }: { node: Node }) {
  if (node.folders.length === 0) {
    return (
      <li>
        <div className={classes.leaf}>
          <FolderName node={node} />
        </div>
      </li>
    );
  }
  return (
    <li>
      <details>
        <summary>
          <FolderName node={node} />
        </summary>
        <ul className={classes.tree}>
          {node.folders.map((folder) => (
            <Branch key={folder.path} node={folder} />
          ))}
          {node.own.objects > 0 && <Own node={node} />}
        </ul>
      </details>
    </li>
  );
}

function FolderName({ node: { name, objects, bytes } }: { node: Node }) {
  return (
    <>
      <code className={classes.folder}>
        <Name>{name}</Name>
      </code>
      <Amount objects={objects} bytes={bytes} />
    </>
  );
}

/** What lies in a folder itself, beside its folders. */
function Own({ node: { own } }: { node: Node }) {
  const { t } = useTranslation("new");
  return (
    <li>
      <div className={classes.leaf}>
        <span className={classes.own}>{t("preview.own")}</span>
        <Amount {...own} />
      </div>
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
