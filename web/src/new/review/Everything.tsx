import { knownRole } from "@accession/rules";
import { Button, Title } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { countriesIn } from "../../metadata-form/authors/countries.ts";
import { isOrganisation } from "../../metadata-form/entries/affiliations.ts";
import { LIST_NAMES, type ListName } from "../../metadata-form/entries/lists.ts";
import { labelOf, nameOf, subjectsOf } from "../../metadata-form/entries/metadata-of.ts";
import { useSummary } from "../../metadata-form/entries/useSummary.ts";
import { useOwnFieldNames } from "../../metadata-form/own-fields/useFieldTexts.ts";
import { useOwnValueText } from "../../metadata-form/own-fields/useOwnValueText.ts";
import { isBlankValue, statedValue } from "../../metadata-form/own-fields/values.ts";
import { useFormats, visible } from "../../ui/format.ts";
import { useTerm } from "../../ui/useTerm.ts";
import { outcomeOf } from "../data-source/Steps.tsx";
import { useForm } from "../form.ts";
import type { Part } from "../parts.ts";
import { linesOf } from "../request.ts";
import classes from "./Review.module.css";

/** All entries by section, each section with a button that edits it. */
export function Everything() {
  return (
    <div className={classes.everything}>
      <DataSourceEntries />
      <DescriptionEntries />
      <AuthorEntries />
    </div>
  );
}

function DataSourceEntries() {
  const { t } = useTranslation(["new", "ui"]);
  const { count, bytes } = useFormats();
  const { draft, keys, connection } = useForm();
  const { endpoint, bucket, region, style, anonymous, prefix, include, exclude, chosen, leftOut } = draft.dataSource;
  const hasKeys = keys.accessKey !== "" && keys.secretKey !== "";
  const { preview, report, isStale } = connection;
  const tested = report === undefined || isStale ? t("review.untested") : t(`check.${outcomeOf(report)}`);
  const known =
    preview === undefined || isStale
      ? ""
      : `${t("ui:objects", { count: preview.objects, shown: count(preview.objects) })}, ${bytes(preview.bytes)}`;
  return (
    <Said part="data-source">
      <Fact name={t("dataSource.endpoint")}>{endpoint}</Fact>
      <Fact name={t("dataSource.bucket")}>{bucket}</Fact>
      <Fact name={t("dataSource.region")} isOptional>
        {region}
      </Fact>
      <Fact name={t("dataSource.style")} isOptional>
        {style === "auto" ? "" : t(`dataSource.styles.${style}`)}
      </Fact>
      <Fact name={t("review.keys")}>{anonymous ? t("review.noKeys") : hasKeys ? t("review.withKeys") : ""}</Fact>
      <Fact name={t("dataSource.prefix")} isOptional>
        {prefix}
      </Fact>
      <Fact name={t("dataSource.include")} isOptional>
        {[...linesOf(include), ...chosen].map(visible).join(", ")}
      </Fact>
      <Fact name={t("dataSource.exclude")} isOptional>
        {[...linesOf(exclude), ...leftOut].map(visible).join(", ")}
      </Fact>
      <Fact name={t("check.title")}>{tested}</Fact>
      <Fact name={t("preview.objects")} isOptional>
        {known}
      </Fact>
    </Said>
  );
}

function DescriptionEntries() {
  const { t } = useTranslation("new");
  const { calendarDay } = useFormats();
  const { title, description, language, subjects, license, embargoDate } = useForm().draft.description;
  return (
    <Said part="description">
      <Fact name={t("description.title")}>{title}</Fact>
      <Fact name={t("description.description")}>{description}</Fact>
      <Fact name={t("description.subjects")}>{subjectsOf(subjects).join(", ")}</Fact>
      <Fact name={t("description.language")}>{language}</Fact>
      <Fact name={t("description.license")}>{license}</Fact>
      <Fact name={t("description.embargo")} isOptional>
        {embargoDate === "" ? "" : calendarDay(embargoDate)}
      </Fact>
      <MoreEntries />
      <OwnEntries />
    </Said>
  );
}

/** The optional entries of the description. */
function MoreEntries() {
  const { t } = useTranslation(["new", "metadata"]);
  const { draft } = useForm();
  const { description, contact } = draft;
  const { acknowledgements, resourceTypeGeneral, resourceType, versionLabel } = description;
  const kind = useTerm()("resourceTypeGeneral", resourceTypeGeneral);
  const visibility = contact.public ? t("more.contactPublic") : "";
  return (
    <>
      {LIST_NAMES.map((list) => (
        <ListEntries key={list} list={list} />
      ))}
      <Fact name={t("metadata:acknowledgements")} isOptional>
        {acknowledgements}
      </Fact>
      <Fact name={t("metadata:resourceTypeGeneral")} isOptional>
        {joined([kind, resourceType])}
      </Fact>
      <Fact name={t("metadata:versionLabel")} isOptional>
        {versionLabel}
      </Fact>
      <Fact name={t("metadata:contact")} isOptional>
        {contact.name + contact.email === "" ? "" : joined([contact.name, contact.email, visibility])}
      </Fact>
    </>
  );
}

function ListEntries({ list }: { list: ListName }) {
  const { t } = useTranslation("metadata");
  const { lists } = useForm().draft;
  const { linesOf } = useSummary(list);
  return (
    <Fact name={t(`lists.${list}`)} isOptional>
      {linesOf(lists).join("\n")}
    </Fact>
  );
}

/** The values of the fields that the operator has defined, by group. */
function OwnEntries() {
  const { ownFields } = useForm().draft;
  const namesOf = useOwnFieldNames();
  const textOf = useOwnValueText();
  return Object.entries(ownFields).flatMap(([group, values]) => {
    const lines = Object.entries(values).flatMap(([name, value]) => {
      const pointer = `/metadata/fields/${group}/${name}`;
      const label = namesOf(pointer).slice(1).join(", ");
      return isBlankValue(value) ? [] : [`${label}: ${textOf(pointer, statedValue(value))}`];
    });
    if (lines.length === 0) return [];
    return [
      <Fact key={group} name={namesOf(`/metadata/fields/${group}`).join()}>
        {lines.join("\n")}
      </Fact>,
    ];
  });
}

function AuthorEntries() {
  const { t, i18n } = useTranslation("new");
  const { authors } = useForm().draft;
  const countries = useMemo(
    () => new Map(countriesIn(i18n.language).map(({ value, label }) => [value, label])),
    [i18n.language],
  );
  return (
    <Said part="authors">
      {authors.map((author, index) => {
        const role = knownRole(author.role);
        const lines = [
          [labelOf(author) || t("authors.unnamed"), role === undefined ? author.role : t(`roles.${role}`)],
          ...(isOrganisation(author)
            ? [[author.rorid]]
            : [
                [author.orcid],
                [nameOf(author) === "" ? "" : author.affiliation, author.rorid],
                ...author.affiliations.map(({ name, rorid }) => [name, rorid]),
              ]),
          [author.address, `${author.zipCode} ${author.city}`, countries.get(author.country) ?? author.country],
        ];
        return (
          <Fact key={author.id} name={t("list.entry", { number: index + 1 })}>
            {lines.map(joined).filter(isWritten).join("\n")}
          </Fact>
        );
      })}
    </Said>
  );
}

function isWritten(text: string): boolean {
  return text.trim() !== "";
}

/** The non-empty texts in one line. */
function joined(texts: string[]): string {
  return texts
    .filter(isWritten)
    .map((text) => text.trim())
    .join(" · ");
}

function Said({ part, children }: { part: Exclude<Part, "review">; children: ReactNode }) {
  const { t } = useTranslation("new");
  const { goTo } = useForm();
  return (
    <section aria-label={t(`parts.${part}`)}>
      <div className={classes.saidHead}>
        <Title order={3} size="h5">
          {t(`parts.${part}`)}
        </Title>
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t("review.changePart", { part: t(`parts.${part}`) })}
          onClick={() => goTo(part)}
        >
          {t("review.change")}
        </Button>
      </div>
      <dl className={classes.facts}>{children}</dl>
    </section>
  );
}

/** A label and its value. @param isOptional omitted if it has no value */
function Fact({ name, isOptional = false, children }: { name: string; isOptional?: boolean; children: string }) {
  const { t } = useTranslation("new");
  if (children === "" && isOptional) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children === "" ? <span className={classes.none}>{t("review.none")}</span> : children}</dd>
    </div>
  );
}
