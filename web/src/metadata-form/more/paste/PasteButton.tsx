import { Button } from "@mantine/core";
import IconClipboardText from "@tabler/icons-react/dist/esm/icons/IconClipboardText.mjs";
import { type ComponentType, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../../context.ts";
import { type Entry, newEntry } from "../../entries/lists.ts";
import { TermField } from "../terms/TermField.tsx";
import { PasteDialog, type Pasted, type PasteProps } from "./PasteDialog.tsx";
import { readDois } from "./readDois.ts";
import { readFunders } from "./readFunders.ts";

type PastedList = "relatedIdentifiers" | "fundingReferences";

const DIALOGS: { readonly [L in PastedList]: ComponentType<PasteProps<Entry<L>>> } = {
  relatedIdentifiers: DoiDialog,
  fundingReferences: FunderDialog,
};

/** A button that opens a dialog for a pasted text, whose entries are added to a list. @param say announces their number */
export function PasteButton<L extends PastedList>({ list, say }: { list: L; say: (text: string) => void }) {
  const { t } = useTranslation("new");
  const { setList } = useMetadataForm();
  const [isPasting, setPasting] = useState(false);
  const Dialog: ComponentType<PasteProps<Entry<L>>> = DIALOGS[list];
  const take = (entries: Entry<L>[]) => {
    setList(list, (known) => [...known, ...entries]);
    say(t("paste.taken", { count: entries.length }));
    setPasting(false);
  };
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconClipboardText size={16} aria-hidden />}
        onClick={() => setPasting(true)}
      >
        {t(`paste.${list as PastedList}.title`)}
      </Button>
      <Dialog isOpen={isPasting} onClose={() => setPasting(false)} onTake={take} />
    </>
  );
}

/** Adds related resources by the DOIs in a pasted text. All of them get the same relation. */
function DoiDialog({ onTake, ...props }: PasteProps<Entry<"relatedIdentifiers">>) {
  const { t } = useTranslation("metadata");
  const id = useId();
  const [relationType, setRelation] = useState("IsDescribedBy");
  return (
    <PasteDialog
      {...props}
      list="relatedIdentifiers"
      placeholder={"10.1234/abcd\nhttps://doi.org/10.1234/efgh"}
      read={readRelated}
      columns={[[t("fields.relatedIdentifier"), ({ relatedIdentifier }) => relatedIdentifier]]}
      besides={() => (
        <TermField
          name="relationType"
          id={id}
          label={t("fields.relationType")}
          error={undefined}
          autoComplete="off"
          value={relationType}
          onBlur={() => undefined}
          onChange={({ currentTarget }) => setRelation(currentTarget.value)}
        />
      )}
      onTake={(entries) => onTake(entries.map((entry) => ({ ...entry, relationType })))}
    />
  );
}

function readRelated(text: string): Pasted<Entry<"relatedIdentifiers">> {
  const { dois, left } = readDois(text);
  return { entries: dois.map((relatedIdentifier) => newEntry("relatedIdentifiers", { relatedIdentifier })), left };
}

/** Adds funders and grants from a pasted list. */
function FunderDialog(props: PasteProps<Entry<"fundingReferences">>) {
  const { t } = useTranslation("metadata");
  return (
    <PasteDialog
      {...props}
      list="fundingReferences"
      placeholder="European Commission; 101017502"
      read={readFunders}
      columns={(["funderName", "awardNumber", "awardTitle"] as const).map((name) => [
        t(`fields.${name}`),
        (entry: Entry<"fundingReferences">) => entry[name],
      ])}
    />
  );
}
