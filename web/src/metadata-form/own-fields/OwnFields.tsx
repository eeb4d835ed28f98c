import { Button, Group, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Field, FieldGroup, FieldValue } from "../../api/field-groups.ts";
import { useMetadataForm } from "../context.ts";
import { fieldId } from "../entries/pointers.ts";
import classes from "./OwnFields.module.css";
import { type OwnFieldProps, SingleField } from "./SingleField.tsx";
import { useFieldTexts } from "./useFieldTexts.ts";
import { type GroupValues, withValue } from "./values.ts";

/** The fields of one group. */
export default function OwnFields({ group }: { group: FieldGroup }) {
  const { draft, setOwnFields } = useMetadataForm();
  const values = draft.ownFields[group.name] ?? {};
  return (
    <Stack gap="md">
      {group.fields.map((field) => (
        <OwnField
          key={field.name}
          field={field}
          pointer={`/metadata/fields/${group.name}/${field.name}`}
          value={values[field.name]}
          // The newest values: two changes can come before the next rendering.
          onChange={(next) => setOwnFields(group.name, (now) => withValue(now, field.name, next))}
        />
      ))}
    </Stack>
  );
}

/** A field that the operator has defined, by the type of its values. */
function OwnField(props: OwnFieldProps) {
  const { type, items } = props.field;
  if (type === "group") return <NestedFields {...props} />;
  const hasFields = items?.fields !== undefined || items?.items !== undefined;
  return hasFields ? <EntriesField {...props} items={items} /> : <SingleField {...props} />;
}

/** The fields of a group within a group. */
function NestedFields({ field, pointer, value, onChange }: OwnFieldProps) {
  const { titleOf, descriptionOf } = useFieldTexts();
  const description = descriptionOf(field);
  return (
    <fieldset className={classes.nested} id={fieldId(pointer)} tabIndex={-1}>
      <legend>{titleOf(field)}</legend>
      {description !== undefined && <p className={classes.detail}>{description}</p>}
      <div className={classes.inner}>
        <FieldsOf fields={field.fields ?? []} pointer={pointer} value={value} onChange={onChange} />
      </div>
    </fieldset>
  );
}

/** Fields side by side in the object that contains them. */
function FieldsOf(props: { fields: readonly Field[]; pointer: string } & Pick<OwnFieldProps, "value" | "onChange">) {
  const { fields, pointer, value, onChange } = props;
  const values: GroupValues = typeof value === "object" && value !== null ? (value as GroupValues) : {};
  return (
    <Stack gap="md">
      {fields.map((inner) => (
        <OwnField
          key={inner.name}
          field={inner}
          pointer={`${pointer}/${inner.name}`}
          value={values[inner.name]}
          onChange={(next) => onChange(withValue(values, inner.name, next))}
        />
      ))}
    </Stack>
  );
}

/** A list whose entries have fields of their own, or are lists. */
function EntriesField({ field, pointer, value, onChange, items }: OwnFieldProps & { items: FieldValue }) {
  const { t } = useTranslation("new");
  const { errorShownAt } = useMetadataForm();
  const { titleOf, descriptionOf } = useFieldTexts();
  const entries: unknown[] = Array.isArray(value) ? value : [];
  const name = titleOf(field);
  const description = descriptionOf(field);
  const error = errorShownAt(pointer);
  const replace = (index: number, next: unknown) => onChange(entries.with(index, next));
  return (
    <fieldset className={classes.nested}>
      <legend>
        {name}
        {field.required && <span aria-hidden> *</span>}
      </legend>
      {description !== undefined && <p className={classes.detail}>{description}</p>}
      {error !== undefined && <p className={classes.error}>{error}</p>}
      {entries.map((entry, index) => {
        const number = t("list.entry", { number: index + 1 });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries have no identity in the metadata.
          <fieldset key={index} className={classes.entry}>
            <legend>{number}</legend>
            <EntryFields
              items={items}
              pointer={`${pointer}/${index}`}
              label={`${name} ${index + 1}`}
              value={entry}
              onChange={(next) => replace(index, next)}
            />
            <Group gap="xs" mt="sm">
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={t("own.removeEntry", { name, number: index + 1 })}
                onClick={() => onChange(entries.filter((_, other) => other !== index))}
              >
                {t("own.removeShort")}
              </Button>
            </Group>
          </fieldset>
        );
      })}
      <Button
        id={fieldId(pointer)}
        variant="light"
        size="sm"
        onClick={() => onChange([...entries, items.items === undefined ? {} : []])}
      >
        {t("own.addEntry", { name })}
      </Button>
    </fieldset>
  );
}

function EntryFields(props: { items: FieldValue; label: string } & Omit<OwnFieldProps, "field">) {
  const { items, label, ...place } = props;
  if (items.fields !== undefined) return <FieldsOf {...place} fields={items.fields} />;
  const field: Field = { ...items, name: label, title: label, titles: {}, descriptions: {}, required: false };
  return <OwnField {...place} field={field} />;
}
