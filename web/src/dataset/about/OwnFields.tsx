import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Field, type FieldGroup, type FieldValue, fieldGroupsOfDatasetQuery } from "../../api/field-groups.ts";
import { useFieldTexts } from "../../metadata-form/own-fields/useFieldTexts.ts";
import { Facts, Section } from "../../ui/Section.tsx";
import { useFormats, visibleLines } from "../../ui/text/format.ts";
import classes from "../Dataset.module.css";
import { OutsideLink } from "./RelatedWorks.tsx";

interface Props {
  id: string;
  version: number;
  /** The archived values by group. */
  fields: Readonly<Record<string, unknown>>;
}

/** The values of the fields that the operator has defined, with the titles that they had when they were archived. */
export default function OwnFields({ id, version, fields }: Props) {
  const { data: groups, isPending } = useQuery(fieldGroupsOfDatasetQuery(id, version));
  const { titleOf } = useFieldTexts();
  if (isPending) return <Skeleton height="8rem" />;
  return Object.entries(fields).map(([name, values]) => {
    const group = groups?.find((one) => one.name === name) ?? withoutTexts(name, values);
    return (
      <Section key={name} title={titleOf(group)}>
        <FactsOf fields={group.fields} values={values} />
      </Section>
    );
  });
}

/** A group whose definition cannot be loaded: the names of the fields are their titles. */
function withoutTexts(name: string, values: unknown): FieldGroup {
  const texts = (of: string) => ({ name: of, title: of, titles: {}, descriptions: {}, required: false });
  const fields = Object.keys(membersOf(values)).map((one): Field => ({ ...texts(one), type: "text" }));
  return { ...texts(name), fields };
}

function FactsOf({ fields, values }: { fields: readonly Field[]; values: unknown }) {
  const { titleOf } = useFieldTexts();
  const stated = membersOf(values);
  return (
    <Facts
      facts={fields.map((field) => [
        titleOf(field),
        stated[field.name] !== undefined && <ShownValue rule={field} value={stated[field.name]} />,
      ])}
    />
  );
}

function ShownValue({ rule, value }: { rule: FieldValue; value: unknown }): ReactNode {
  const { t, i18n } = useTranslation("edit");
  const { calendarDay } = useFormats();
  const { titleOf } = useFieldTexts();
  if (Array.isArray(value)) return <SaidList rule={rule.items} values={value} />;
  if (typeof value === "object" && value !== null) {
    return (
      <div className={classes.nested}>
        <FactsOf fields={rule.fields ?? []} values={value} />
      </div>
    );
  }
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  const choice = rule.choices?.find((one) => one.value === value);
  if (choice !== undefined) return titleOf(choice);
  if (typeof value === "number") {
    const number = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 20 }).format(value);
    return rule.unit === undefined ? number : `${number} ${rule.unit}`;
  }
  const text = String(value);
  if (rule.format === "uri") return <OutsideLink href={text}>{visibleLines(text)}</OutsideLink>;
  return rule.format === "date" ? <time dateTime={text}>{calendarDay(text)}</time> : <bdi>{visibleLines(text)}</bdi>;
}

/** Single values in one line, others below each other. */
function SaidList({ rule, values }: { rule: FieldValue | undefined; values: readonly unknown[] }) {
  if (rule === undefined) return visibleLines(JSON.stringify(values));
  const isNested = rule.type === "group" || rule.type === "list";
  return values.map((value, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the order of the values never changes here.
    <Fragment key={index}>
      {isNested ? (
        <div className={classes.value}>
          <ShownValue rule={rule} value={value} />
        </div>
      ) : (
        <>
          {index > 0 && " · "}
          <ShownValue rule={rule} value={value} />
        </>
      )}
    </Fragment>
  ));
}

function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
