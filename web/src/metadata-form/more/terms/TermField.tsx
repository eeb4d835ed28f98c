import { funderIdentifierTypes, knownTerm, resourceTypes, roles, titleTypes } from "@accession/rules";
import { NativeSelect } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useTerm } from "../../../ui/text/useTerm.ts";
import type { TextField } from "../../useField.ts";
import { DATE_TYPES, DESCRIPTION_TYPES, IDENTIFIER_TYPES, OTHER_RELATIONS, USUAL_RELATIONS } from "./terms.ts";

interface Term {
  value: string;
  label: string;
}

interface Props extends TextField {
  /** The member of the metadata. */
  name: keyof ReturnType<typeof useTerms>;
  /** The label of the choice without a term, where it differs. */
  absent?: string;
}

/** The choice of a term. A term that is not in the list is kept until the user chooses another one. */
export function TermField({ name, absent, value, ...field }: Props) {
  const offered: readonly (Term | { group: string; items: Term[] })[] = useTerms()[name];
  const terms = offered.map((term) =>
    "value" in term && term.value === "" && absent !== undefined ? { ...term, label: absent } : term,
  );
  const all = terms.flatMap((term) => ("items" in term ? term.items : [term])).map((term) => term.value);
  const known = knownTerm(all, value);
  const data = known === undefined ? [{ value, label: value }, ...terms] : terms;
  return <NativeSelect {...field} data={data} value={known ?? value} />;
}

/** Whether a member of the metadata is entered by the choice of a term. */
export function isTermMember(name: string): name is Props["name"] {
  return Object.hasOwn(TERM_MEMBERS, name);
}

const TERM_MEMBERS = {
  titleType: true,
  descriptionType: true,
  dateType: true,
  relationType: true,
  relatedIdentifierType: true,
  resourceTypeGeneral: true,
  funderIdentifierType: true,
  role: true,
} satisfies Record<Props["name"], true>;

/** The terms that each member offers. */
function useTerms() {
  const { t } = useTranslation(["new", "metadata"]);
  const term = useTerm();
  const named = (member: string, terms: readonly string[]) =>
    terms.map((value) => ({ value, label: term(member, value) }));
  const detected = (terms: readonly string[]) => [
    { value: "", label: t("more.detect") },
    ...terms.map((value) => ({ value, label: value === "Other" ? t("metadata:resourceTypes.Other") : value })),
  ];
  return {
    titleType: named("titleType", titleTypes),
    descriptionType: named("descriptionType", DESCRIPTION_TYPES),
    dateType: named("dateType", DATE_TYPES),
    relationType: [
      ...named("relationType", USUAL_RELATIONS),
      { group: t("more.otherRelations"), items: named("relationType", OTHER_RELATIONS) },
    ],
    relatedIdentifierType: detected(IDENTIFIER_TYPES),
    resourceTypeGeneral: [{ value: "", label: t("more.unstated") }, ...named("resourceTypeGeneral", resourceTypes)],
    funderIdentifierType: detected(funderIdentifierTypes),
    role: roles.map((value) => ({ value, label: t(`roles.${value}`, { ns: "metadata" }) })),
  };
}
