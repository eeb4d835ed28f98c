import { Button } from "@mantine/core";
import IconClipboardText from "@tabler/icons-react/dist/esm/icons/IconClipboardText.mjs";
import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../../context.ts";
import type { Entry, ListName } from "../../entries/lists.ts";

interface Props<L extends ListName> {
  list: L;
  words: string;
  Dialog: ComponentType<{ isOpen: boolean; onClose: () => void; onTake: (entries: Entry<L>[]) => void }>;
  /** Announces the number of added entries. */
  say: (text: string) => void;
}

/** A button that opens a dialog for a pasted text, whose entries are added to a list. */
export function PasteButton<L extends ListName>({ list, words, Dialog, say }: Props<L>) {
  const { t } = useTranslation("new");
  const { setList } = useMetadataForm();
  const [isPasting, setPasting] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconClipboardText size={16} aria-hidden />}
        onClick={() => setPasting(true)}
      >
        {words}
      </Button>
      <Dialog
        isOpen={isPasting}
        onClose={() => setPasting(false)}
        onTake={(entries) => {
          setList(list, (known) => [...known, ...entries]);
          say(t("paste.taken", { count: entries.length }));
          setPasting(false);
        }}
      />
    </>
  );
}
