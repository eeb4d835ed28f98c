import { knownRole } from "@accession/rules";
import { Button, Title } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { LONG_TEXTS } from "../../api/long-texts.ts";
import { countriesIn } from "../../metadata-form/authors/countries.ts";
import { isOrganisation } from "../../metadata-form/entries/affiliations.ts";
import type { Person } from "../../metadata-form/entries/entries.ts";
import { filledIn, LIST_NAMES } from "../../metadata-form/entries/lists.ts";
import { labelOf, nameOf, subjectsOf } from "../../metadata-form/entries/metadata-of.ts";
import { useSummary } from "../../metadata-form/entries/useSummary.ts";
import { useFormErrorText } from "../../metadata-form/errors/useFormErrorText.ts";
import { useOwnFieldNames } from "../../metadata-form/own-fields/useFieldTexts.ts";
import { useOwnValueText } from "../../metadata-form/own-fields/useOwnValueText.ts";
import { isBlankValue, statedValue } from "../../metadata-form/own-fields/values.ts";
import { useMemberName } from "../../metadata-form/useMemberName.ts";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { useFormats, visible } from "../../ui/text/format.ts";
import { useTerm } from "../../ui/text/useTerm.ts";
import { outcomeOf } from "../data-source/Steps.tsx";
import { useForm } from "../form.ts";
import type { Part } from "../parts.ts";
import { hasRole, linesOf } from "../request.ts";
import classes from "./Review.module.css";

/** Its texts are loaded with the choice of the lists. */
const Digests = lazyLoaded(() => import("../digests/Digests.tsx"));

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
  return useForm().draft.dataSource.kind === "upload" ? <UploadEntries /> : <BucketEntries />;
}

function UploadEntries() {
  const { t } = useTranslation("new");
  const { count, bytes } = useFormats();
  const { upload, formErrors } = useForm();
  const errorText = useFormErrorText();
  const snapshot = upload.session?.snapshot;
  const own = formErrors.find(({ pointer }) => pointer === "/upload");
  const files = snapshot?.files ?? 0;
  const amount =
    files === 0
      ? ""
      : t("review.uploadFiles", { count: files, shown: count(files), bytes: bytes(snapshot?.bytes ?? 0) });
  return (
    <PartFacts
      part="data-source"
      facts={[
        [t("source.upload"), amount],
        [t("review.uploadState"), own === undefined ? t("review.uploadReady") : errorText(own)],
      ]}
    >
      <Digests isReview />
    </PartFacts>
  );
}

function BucketEntries() {
  const { t } = useTranslation(["new", "ui"]);
  const { count, bytes } = useFormats();
  const { draft, keys, connection } = useForm();
  const { endpoint, bucket, region, style, anonymous, prefix, include, exclude, chosen, leftOut } = draft.dataSource;
  const hasKeys = keys.accessKey !== "" && keys.secretKey !== "";
  const given = hasKeys ? t("review.withKeys") : "";
  const identity = hasRole(draft.dataSource) ? t("review.withRole") : given;
  const { preview, report, isStale } = connection;
  const tested = report === undefined || isStale ? t("review.untested") : t(`check.${outcomeOf(report)}`);
  const known =
    preview === undefined || isStale
      ? ""
      : `${t("ui:objects", { count: preview.objects, shown: count(preview.objects) })}, ${bytes(preview.bytes)}`;
  return (
    <PartFacts
      part="data-source"
      facts={[
        [t("dataSource.endpoint"), endpoint],
        [t("dataSource.bucket"), bucket],
        [t("dataSource.region"), region, OPTIONAL],
        [t("dataSource.style"), style === "auto" ? "" : t(`dataSource.styles.${style}`), OPTIONAL],
        [t("review.keys"), anonymous ? t("review.noKeys") : identity],
        [t("dataSource.prefix"), prefix, OPTIONAL],
        [t("dataSource.include"), [...linesOf(include), ...chosen].map(visible).join(", "), OPTIONAL],
        [t("dataSource.exclude"), [...linesOf(exclude), ...leftOut].map(visible).join(", "), OPTIONAL],
        [t("check.title"), tested],
        [t("preview.objects"), known, OPTIONAL],
      ]}
    >
      <Digests isReview />
    </PartFacts>
  );
}

function DescriptionEntries() {
  const { t } = useTranslation("new");
  const { calendarDay } = useFormats();
  const { lists, description, contact } = useForm().draft;
  const nameOf = useMemberName();
  const summaryOf = useSummary();
  const term = useTerm();
  const { title, subjects, language, license, embargoDate, resourceTypeGeneral, resourceType } = description;
  const kind = joined([term("resourceTypeGeneral", resourceTypeGeneral), resourceType]);
  const visibility = contact.public ? t("more.contactPublic") : "";
  const email = contact.name + contact.email === "" ? "" : joined([contact.name, contact.email, visibility]);
  return (
    <PartFacts
      part="description"
      facts={[
        [nameOf("title"), title],
        [nameOf("description"), description.description],
        [nameOf("subjects"), subjectsOf(subjects).join(", ")],
        [nameOf("language"), language],
        [nameOf("license"), license],
        [nameOf("embargoDate"), embargoDate === "" ? "" : calendarDay(embargoDate), OPTIONAL],
        ...LIST_NAMES.map((list): Fact => [nameOf(list), summaryOf(list).linesOf(lists).join("\n"), OPTIONAL]),
        ...LONG_TEXTS.map((name): Fact => [nameOf(name), description[name], OPTIONAL]),
        [nameOf("resourceTypeGeneral"), kind, OPTIONAL],
        [nameOf("versionLabel"), description.versionLabel, OPTIONAL],
        [nameOf("contact"), email, OPTIONAL],
        ...useOwnFacts(),
      ]}
    />
  );
}

/** The values of the fields that the operator has defined, by group. */
function useOwnFacts(): Fact[] {
  const { ownFields } = useForm().draft;
  const namesOf = useOwnFieldNames();
  const textOf = useOwnValueText();
  return Object.entries(ownFields).map(([group, values]): Fact => {
    const lines = Object.entries(values).flatMap(([name, value]) => {
      const pointer = `/metadata/fields/${group}/${name}`;
      const label = namesOf(pointer).slice(1).join(", ");
      return isBlankValue(value) ? [] : [`${label}: ${textOf(pointer, statedValue(value))}`];
    });
    return [namesOf(`/metadata/fields/${group}`).join(), lines.join("\n"), OPTIONAL];
  });
}

function AuthorEntries() {
  const { t, i18n } = useTranslation("new");
  const { authors } = useForm().draft;
  const countries = useMemo(
    () => new Map(countriesIn(i18n.language).map(({ value, label }) => [value, label])),
    [i18n.language],
  );
  const factOf = (author: Person, index: number): Fact => {
    const role = knownRole(author.role);
    const lines = [
      [
        labelOf(author) || t("authors.unnamed"),
        role === undefined ? author.role : t(`roles.${role}`, { ns: "metadata" }),
      ],
      ...(isOrganisation(author)
        ? [[author.rorid]]
        : [
            [author.orcid],
            [nameOf(author) === "" ? "" : author.affiliation, author.rorid],
            ...author.affiliations.map(({ name, rorid }) => [name, rorid]),
          ]),
      [author.address, `${author.zipCode} ${author.city}`, countries.get(author.country) ?? author.country],
    ];
    return [t("list.entry", { number: index + 1 }), filledIn(lines.map(joined)).join("\n")];
  };
  return <PartFacts part="authors" facts={authors.map(factOf)} />;
}

/** The non-empty texts in one line. */
function joined(texts: string[]): string {
  return filledIn(texts).join(" · ");
}

const OPTIONAL = { isOptional: true };

/** A label and its value. An optional one is omitted if it has no value. */
type Fact = readonly [label: string, value: string, options?: typeof OPTIONAL];

interface PartFactsProps {
  part: Exclude<Part, "review">;
  facts: readonly Fact[];
  /** Further entries of the `<dl>`. */
  children?: ReactNode;
}

/** A section with its facts, and the button that edits it. */
function PartFacts({ part, facts, children }: PartFactsProps) {
  const { t } = useTranslation("new");
  const { goTo } = useForm();
  return (
    <section aria-label={t(`parts.${part}`)}>
      <div className={classes.partHead}>
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
      <dl className={classes.facts}>
        {facts
          .filter(([, value, options]) => value !== "" || options === undefined)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value === "" ? <span className={classes.none}>{t("review.none")}</span> : value}</dd>
            </div>
          ))}
        {children}
      </dl>
    </section>
  );
}
