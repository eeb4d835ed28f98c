import { Button, Group, Text } from "@mantine/core";
import { type DragEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Chosen, chosenIn, droppedIn, type Unusable } from "../../compare/chosen-files.ts";
import classes from "./Upload.module.css";

/** The files that a person chose, by path, and what else was in the folder. */
export interface Choice {
  files: ReadonlyMap<string, File>;
  unusable: Unusable;
}

interface Props {
  /** For the first files, the same folder again, or more files. */
  kind: "first" | "again" | "more";
  onChosen: (choice: Choice) => void;
}

/** Chooses a folder or files, by buttons or by dropping them. */
export function ChooseFiles({ kind, onChosen }: Props) {
  const { t } = useTranslation("upload");
  const [isOver, setOver] = useState(false);
  const [said, setSaid] = useState<"reading" | "failed" | "none">();
  const take = (chosen: Chosen, unusable: Unusable = { emptyFolders: [], unreadable: [], sameName: [] }) => {
    const files = filesOf(chosen, unusable);
    if (files.size > 0) {
      setSaid(undefined);
      onChosen({ files, unusable });
    } else setSaid(unusable.unreadable.length > 0 ? "failed" : "none");
  };
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const unusable: Unusable = { emptyFolders: [], unreadable: [], sameName: [] };
    const reading = droppedIn(event.dataTransfer, unusable);
    setSaid("reading");
    const chosen = await reading.catch(() => undefined);
    if (chosen === undefined) setSaid("failed");
    else take(chosen, unusable);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same for the keyboard.
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <p className={classes.zoneTitle}>{t(`choose.${kind}`)}</p>
      <Group gap="0.5rem" justify="center">
        <Chooser isFolder variant={kind === "more" ? "default" : "filled"} onChosen={take} />
        <Chooser isFolder={false} variant="default" onChosen={take} />
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {t(`choose.${said ?? "note"}`)}
      </Text>
    </div>
  );
}

/** A button, and the input that it opens. */
function Chooser({
  isFolder,
  variant,
  onChosen,
}: {
  isFolder: boolean;
  variant: "filled" | "default";
  onChosen: (chosen: Chosen) => void;
}) {
  const { t } = useTranslation("upload");
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant={variant} onClick={() => input.current?.click()}>
        {t(isFolder ? "choose.folder" : "choose.files")}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        {...(isFolder && { webkitdirectory: "" })}
        onChange={({ currentTarget }) => {
          const chosen = chosenIn(currentTarget);
          // The same choice must cause a change again.
          currentTarget.value = "";
          onChosen(chosen);
        }}
      />
    </>
  );
}

/** The files by path, sorted as people expect it. Browsers list a folder in any order. */
function filesOf({ kind, files }: Chosen, { sameName }: Unusable): ReadonlyMap<string, File> {
  const list = kind === "folder" ? [...files] : files.map((file) => [file.name, file] as const);
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const sorted = new Map<string, File>();
  for (const [path, file] of list.sort(([one], [other]) => compare(one, other))) {
    if (sorted.has(path)) sameName.push(path);
    else sorted.set(path, file);
  }
  return sorted;
}
