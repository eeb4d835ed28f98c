import { Table } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../entries/lists.ts";
import { PasteDialog } from "../../list/PasteDialog.tsx";
import { readFunders } from "./readFunders.ts";

interface Props {
  isOpen: boolean;
  onClose: () => void;
  onTake: (entries: Entry<"fundingReferences">[]) => void;
}

const COLUMNS = ["funderName", "awardNumber", "awardTitle"] as const;

/** Adds funders and grants from a pasted list. */
export function FunderDialog({ isOpen, onClose, onTake }: Props) {
  const { t } = useTranslation(["new", "metadata"]);
  return (
    <PasteDialog
      isOpen={isOpen}
      title={t("paste.funders.title")}
      label={t("paste.funders.label")}
      detail={t("paste.funders.detail")}
      placeholder={"European Commission; 101017502"}
      words={{
        understood: (count) => t("paste.understood", { count }),
        take: (count) => t("paste.take", { count }),
      }}
      read={readFunders}
      shownName={t("paste.understoodList")}
      show={(entries) => (
        <Table>
          <Table.Thead>
            <Table.Tr>
              {COLUMNS.map((name) => (
                <Table.Th key={name}>{t(`metadata:fields.${name}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <Table.Tr key={entry.id}>
                {COLUMNS.map((name) => (
                  <Table.Td key={name}>{entry[name]}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      onClose={onClose}
      onTake={onTake}
    />
  );
}
