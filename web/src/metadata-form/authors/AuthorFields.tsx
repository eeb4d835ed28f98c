import { Button, Group, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import { isOrganisation } from "../entries/affiliations.ts";
import type { Person } from "../entries/entries.ts";
import { nameOf } from "../entries/metadata-of.ts";
import { judgeOrcid } from "../entries/orcid.ts";
import formClasses from "../Form.module.css";
import classes from "../list/List.module.css";
import { TermField } from "../more/terms/TermField.tsx";
import { type TextField, useTextField } from "../useField.ts";
import { AffiliationField, Affiliations } from "./Affiliations.tsx";
import { countriesIn } from "./countries.ts";

type Text = Exclude<keyof Person, "id" | "affiliations">;
/** The members that authors of one institution share. */
const SHARED = ["affiliation", "rorid", "affiliations", "address", "zipCode", "city", "country"] as const;

/** All fields of one author. */
export function AuthorFields({ entry: author, index }: { entry: Person; index: number }) {
  const { t } = useTranslation("new");
  const { draft, setAuthors } = useMetadataForm();
  const field = useTextField();
  const set = (change: Partial<Person>) =>
    setAuthors((authors) => authors.map((one) => (one.id === author.id ? { ...one, ...change } : one)));
  const input = (name: Text, pointer = `/metadata/authors/${index}/${name}`) =>
    field(pointer, t(`authors.${name}`), author[name], (text) => set({ [name]: text }));
  return (
    <Stack gap="md">
      <KindField author={author} index={index} set={set} />
      {isOrganisation(author) ? (
        <>
          <AffiliationField
            name={input("name")}
            rorid={input("rorid")}
            fill={(name, identifiers) => set({ name, ...identifiers })}
          />
          <div className={formClasses.two}>
            <TermField {...input("role")} name="role" />
          </div>
        </>
      ) : (
        <>
          <div className={formClasses.two}>
            {/* The error “a creator has no name” refers to the author; the first of the two fields shows it. */}
            <TextInput {...input("firstName", `/metadata/authors/${index}`)} />
            <TextInput {...input("lastName")} />
          </div>
          <div className={formClasses.two}>
            <TermField {...input("role")} name="role" />
            <OrcidField {...input("orcid")} />
          </div>
          <Affiliations author={author} index={index} set={set} />
          <CopyButton author={author} before={draft.authors[index - 1]} index={index} set={set} />
        </>
      )}
      <details className={formClasses.fold}>
        <summary>{t("authors.postal")}</summary>
        <Stack gap="md">
          <TextInput {...input("address")} description={t("authors.postalDetail")} />
          <div className={formClasses.two}>
            <TextInput {...input("zipCode")} />
            <TextInput {...input("city")} />
          </div>
          <CountryField {...input("country")} />
        </Stack>
      </details>
    </Stack>
  );
}

interface AuthorProps {
  author: Person;
  index: number;
  set: (change: Partial<Person>) => void;
}

/** The choice between a person and an organisation. The name is kept when it changes. */
function KindField({ author, set }: AuthorProps) {
  const { t } = useTranslation("new");
  const choose = (kind: string) => {
    if (kind === "person") set({ nameType: "", name: "", lastName: author.lastName || author.name });
    else set({ nameType: "Organizational", name: author.name || nameOf(author) });
  };
  return (
    <Radio.Group
      size="md"
      name={`type-${author.id}`}
      label={t("authors.nameType")}
      value={isOrganisation(author) ? "organisation" : "person"}
      onChange={choose}
    >
      <Group gap="lg" mt="xs">
        <Radio size="md" value="person" label={t("authors.person")} />
        <Radio size="md" value="organisation" label={t("authors.organisation")} />
      </Group>
    </Radio.Group>
  );
}

/** Copies affiliations and address of the previous author. */
function CopyButton({ author, before: entry, index, set }: AuthorProps & { before: Person | undefined }) {
  const { t } = useTranslation("new");
  // The members of an organisation belong to the organisation itself.
  const before = entry !== undefined && isOrganisation(entry) ? { ...entry, affiliation: entry.name } : entry;
  const isSame = (name: (typeof SHARED)[number]) => JSON.stringify(before?.[name]) === JSON.stringify(author[name]);
  if (before === undefined || !SHARED.some((name) => before[name].length > 0 && !isSame(name))) return null;
  return (
    <Button
      variant="light"
      size="xs"
      onClick={() => set(Object.fromEntries(SHARED.map((name) => [name, before[name]])))}
      style={{ alignSelf: "flex-start" }}
    >
      {t("authors.copy", { number: index })}
    </Button>
  );
}

function CountryField({ value, ...field }: TextField) {
  const { i18n } = useTranslation("new");
  const known = useMemo(() => countriesIn(i18n.language), [i18n.language]);
  const isKnown = value === "" || known.some((country) => country.value === value);
  const data = [{ value: "", label: "" }, ...(isKnown ? [] : [{ value, label: value }]), ...known];
  return <NativeSelect {...field} data={data} value={value} />;
}

/** An ORCID iD. Validates it during input, as soon as the result is certain. */
function OrcidField({ value, error, ...field }: TextField) {
  const { t } = useTranslation("new");
  const state = judgeOrcid(value);
  return (
    <TextInput
      {...field}
      value={value}
      inputWrapperOrder={["label", "input", "description", "error"]}
      inputMode="text"
      spellCheck={false}
      placeholder="0000-0002-1825-0097"
      description={t(state === "right" ? "authors.orcidRight" : "authors.orcidDetail")}
      error={state === "wrong" ? t("errors.orcid") : error}
      rightSection={state === "right" && <IconCircleCheck size={18} aria-hidden className={classes.right} />}
    />
  );
}
