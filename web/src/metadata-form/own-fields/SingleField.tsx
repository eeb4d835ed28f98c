import { Checkbox, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Field, FieldValue } from "../../api/field-groups.ts";
import { useMetadataForm } from "../context.ts";
import { fieldId, isWithin } from "../entries/pointers.ts";
import classes from "./OwnFields.module.css";
import { useFieldTexts } from "./useFieldTexts.ts";
import { valueLeft, valueTyped } from "./values.ts";

/** Longer texts have a field of several lines. */
const ONE_LINE = 500;

export interface OwnFieldProps {
  field: Field;
  pointer: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

/** A field with one control: for a single value, or for a list of single values. */
export function SingleField(props: OwnFieldProps) {
  const { field, value } = props;
  const { items } = field;
  if (items !== undefined)
    return items.choices === undefined ? <Lines {...props} items={items} /> : <Ticks {...props} items={items} />;
  if (field.type === "boolean" || field.choices !== undefined) return <Choice {...props} />;
  const isLong =
    field.type === "text" && field.format === undefined && !field.pattern && (field.maxLength ?? 0) > ONE_LINE;
  return isLong && typeof value !== "number" ? <LongText {...props} /> : <Line {...props} />;
}

/** What all controls share: the label, the explanation, the error, and the id with which errors lead to the field. */
function useControl({ field, pointer }: Pick<OwnFieldProps, "field" | "pointer">) {
  const { formErrors, errorShownAt, touch } = useMetadataForm();
  const { titleOf, descriptionOf } = useFieldTexts();
  const wordsOf = useNumberWords();
  const inside = formErrors.find((formError) => isWithin(formError.pointer, pointer))?.pointer ?? pointer;
  const description = descriptionOf(field);
  const shown = errorShownAt(pointer) ?? errorShownAt(inside);
  return {
    id: fieldId(pointer),
    label: field.unit === undefined ? titleOf(field) : `${titleOf(field)} (${field.unit})`,
    withAsterisk: field.required,
    error: shown === undefined ? undefined : (wordsOf(field) ?? shown),
    leave: () => {
      touch(pointer);
      touch(inside);
    },
    ...(description !== undefined && { description }),
  };
}

/** Gives the text of an error at a number: which numbers are allowed. Undefined for other fields. */
function useNumberWords(): (rule: FieldValue) => string | undefined {
  const { t, i18n } = useTranslation("new");
  const shown = (limit: number) => new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 20 }).format(limit);
  return ({ type, minimum, maximum, choices }) => {
    if ((type !== "number" && type !== "integer") || choices !== undefined) return undefined;
    if (minimum !== undefined && maximum !== undefined) {
      return t(`own.${type}.between`, { least: shown(minimum), most: shown(maximum) });
    }
    if (minimum !== undefined) return t(`own.${type}.least`, { least: shown(minimum) });
    return maximum === undefined ? t(`own.${type}.any`) : t(`own.${type}.most`, { most: shown(maximum) });
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function Line({ field, pointer, value, onChange }: OwnFieldProps) {
  const { leave, ...control } = useControl({ field, pointer });
  const isNumber = field.type === "number" || field.type === "integer";
  return (
    <TextInput
      {...control}
      type={field.format === "date" ? "date" : "text"}
      inputMode={isNumber ? "decimal" : field.format === "email" ? "email" : field.format === "uri" ? "url" : "text"}
      className={isNumber || field.format === "date" ? classes.short : undefined}
      autoComplete="off"
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(valueTyped(field, currentTarget.value))}
      onBlur={() => {
        const left = valueLeft(field, value);
        if (left !== value) onChange(left);
        leave();
      }}
    />
  );
}

function LongText({ field, pointer, value, onChange }: OwnFieldProps) {
  const { leave, ...control } = useControl({ field, pointer });
  return (
    <Textarea
      {...control}
      autosize
      value={textOf(value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={leave}
    />
  );
}

/** One of several values, or yes and no. Nothing is chosen at first. */
function Choice({ field, pointer, value, onChange }: OwnFieldProps) {
  const { t } = useTranslation(["new", "edit"]);
  const { leave, ...control } = useControl({ field, pointer });
  const { titleOf } = useFieldTexts();
  const choices: { value: unknown; label: string }[] =
    field.choices?.map((choice) => ({ value: choice.value, label: titleOf(choice) })) ??
    [true, false].map((one) => ({ value: one, label: t(one ? "edit:yes" : "edit:no") }));
  const chosen = choices.findIndex((choice) => choice.value === value);
  return (
    <NativeSelect
      {...control}
      className={classes.short}
      data={[
        { value: "", label: t("more.unstated") },
        ...choices.map(({ label }, index) => ({ value: String(index), label })),
      ]}
      value={chosen < 0 ? "" : String(chosen)}
      onChange={({ currentTarget: { value: index } }) =>
        onChange(index === "" ? undefined : choices[Number(index)]?.value)
      }
      onBlur={leave}
    />
  );
}

/** A list of texts or numbers, one in each line. */
function Lines({ field, pointer, value, onChange, items }: OwnFieldProps & { items: FieldValue }) {
  const { t } = useTranslation("new");
  const { leave, description, ...control } = useControl({ field, pointer });
  const entries = Array.isArray(value) ? value.map(textOf) : [];
  return (
    <Textarea
      {...control}
      description={[description, t("own.lines")].filter((text) => text !== undefined).join(" ")}
      autosize
      value={entries.join("\n")}
      onChange={({ currentTarget: { value: text } }) =>
        onChange(text === "" ? [] : text.split("\n").map((line) => valueTyped(items, line)))
      }
      onBlur={() => {
        const left = entries
          .filter((line) => line.trim() !== "")
          .map((line) => valueLeft(items, valueTyped(items, line)));
        if (entries.length > 0) onChange(left);
        leave();
      }}
    />
  );
}

/** Several of the values of an enumeration. */
function Ticks({ field, pointer, value, onChange, items }: OwnFieldProps & { items: FieldValue }) {
  const { leave, id, ...control } = useControl({ field, pointer });
  const { titleOf } = useFieldTexts();
  const choices = items.choices ?? [];
  const chosen: unknown[] = Array.isArray(value) ? value : [];
  return (
    <Checkbox.Group
      {...control}
      value={choices.flatMap((choice, index) => (chosen.includes(choice.value) ? [String(index)] : []))}
      onChange={(ticked) => {
        onChange(choices.filter((_, index) => ticked.includes(String(index))).map((choice) => choice.value));
        leave();
      }}
    >
      <Stack gap="xs" mt="xs">
        {choices.map((choice, index) => (
          <Checkbox
            key={String(choice.value)}
            {...(index === 0 && { id })}
            value={String(index)}
            label={titleOf(choice)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
