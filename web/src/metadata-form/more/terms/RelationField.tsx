import { useTranslation } from "react-i18next";
import { useTerm } from "../../../ui/useTerm.ts";
import type { TextField } from "../../list/useEntry.ts";
import { TermField } from "./TermField.tsx";
import { OTHER_RELATIONS, USUAL_RELATIONS } from "./terms.ts";

/** The relation of the dataset to a resource: the usual ones first, then all others. */
export function RelationField(field: TextField) {
  const { t } = useTranslation("new");
  const term = useTerm();
  const termOf = (value: string) => ({ value, label: term("relationTypes", value) });
  const terms = [
    ...USUAL_RELATIONS.map(termOf),
    { group: t("more.otherRelations"), items: OTHER_RELATIONS.map(termOf) },
  ];
  return <TermField {...field} terms={terms} />;
}
