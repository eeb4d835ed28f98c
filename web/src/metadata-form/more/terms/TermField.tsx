import { knownTerm } from "@accession/rules";
import { NativeSelect } from "@mantine/core";
import type { TextField } from "../../list/useEntry.ts";

interface Term {
  value: string;
  label: string;
}

interface Props extends TextField {
  terms: readonly (Term | { group: string; items: Term[] })[];
  description?: string;
}

/** The choice of a term. A term that is not in the list is kept until the user chooses another one. */
export function TermField({ value, terms, ...field }: Props) {
  const all = terms.flatMap((term) => ("items" in term ? term.items : [term]));
  const known = knownTerm(
    all.map((term) => term.value),
    value,
  );
  const data = known === undefined ? [{ value, label: value }, ...terms] : [...terms];
  return <NativeSelect {...field} data={data} value={known ?? value} />;
}
