import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import {
  type Entry,
  type FieldOf,
  fieldsOf,
  LIST_NAMES,
  LIST_ROWS,
  type ListName,
  type Row,
} from "../entries/lists.ts";
import formClasses from "../Form.module.css";
import { useTextField } from "../useField.ts";
import { VocabularyField } from "../vocabulary/VocabularyField.tsx";
import { Part } from "./FoldedGroup.tsx";
import { MemberField } from "./MemberField.tsx";
import { INPUTS } from "./members.ts";

type AnyField = FieldOf<ListName>;
type AnyEntry = Record<AnyField, string>;

/** The fields of an entry of each list. Always the same components, so that entries are not rendered again. */
export const ENTRY_FIELDS = Object.fromEntries(
  LIST_NAMES.map((list) => [list, (props: EntryProps<ListName>) => <EntryFields list={list} {...props} />]),
) as { [L in ListName]: ComponentType<EntryProps<L>> };

function EntryFields({ list, ...props }: { list: ListName } & EntryProps<ListName>) {
  const { t } = useTranslation("new");
  const { input, set } = useEntry(list, props);
  const entry = props.entry as Entry<ListName> & AnyEntry;
  const fieldOf = (name: AnyField, isBeside: boolean) => {
    const { vocabulary } = INPUTS[name] ?? {};
    const field = input(name as never, memberOf(name));
    if (vocabulary === undefined) return <MemberField key={name} name={name} field={field} isBeside={isBeside} />;
    const { kind, decisive, identifiers } = vocabulary;
    const names = Object.keys(identifiers) as AnyField[];
    return (
      <VocabularyField
        key={name}
        kind={kind}
        field={field}
        identifiers={Object.fromEntries(names.map((one) => [one, entry[one]]))}
        decisive={decisive}
        identifiersOf={(chosen) =>
          Object.fromEntries(Object.entries(identifiers).map(([one, read]) => [one, read(chosen) ?? ""]))
        }
        fill={(text, values) => set({ [name]: text, ...values })}
      />
    );
  };
  const rowOf = (names: readonly AnyField[]) => {
    const fields = names.map((name) => fieldOf(name, names.length > 1));
    if (fields.length === 1) return fields;
    return (
      <div key={names.join()} className={formClasses.two}>
        {fields}
      </div>
    );
  };
  const rows: readonly Row<AnyField>[] = LIST_ROWS[list];
  return (
    <div className={formClasses.fields}>
      {rows.map((row) =>
        "part" in row ? (
          <Part
            key={row.part}
            title={t(`more.${row.part}`)}
            {...(row.detail !== undefined && { detail: t(`more.${row.detail}`) })}
          >
            {row.rows.map(rowOf)}
          </Part>
        ) : (
          rowOf(row)
        ),
      )}
    </div>
  );
}

/** The member of the request that a field of an entry fills in, as the end of a pointer; empty for the entry itself. */
function memberOf(name: AnyField): string {
  // The error “a place needs a name, a point or an area” refers to the entry; its first field shows it.
  if (name === "geoLocationPlace") return "";
  const { inside } = INPUTS[name] ?? {};
  return inside === undefined ? `/${name}` : `/${inside}/${name}`;
}

/** The member of the first field of an entry, see {@link memberOf}. */
export function firstMember(list: ListName): string {
  return fieldsOf(list).map(memberOf)[0] ?? "";
}

/** What the fields of an entry of a list need. */
interface EntryProps<L extends ListName> {
  entry: Entry<L>;
  index: number;
}

/**
 * The fields of an entry, and a function that changes it.
 *
 * @returns `input(name, member)` connects a field; `member` is the end of the pointer to the member of the request
 */
function useEntry<L extends ListName>(list: L, { entry, index }: EntryProps<L>) {
  const { t } = useTranslation("metadata");
  const { setList } = useMetadataForm();
  const field = useTextField();
  const at = `/metadata/${list}/${index}`;
  const set = (change: Partial<Entry<L>>) =>
    setList(list, (entries) => entries.map((one) => (one.id === entry.id ? { ...one, ...change } : one)));
  const input = (name: FieldOf<L>, member: string) =>
    field(at + member, t(`fields.${name as FieldOf<ListName>}`), entry[name], (text) =>
      set({ [name]: text } as unknown as Partial<Entry<L>>),
    );
  return { input, set };
}
