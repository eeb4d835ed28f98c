import { Button, NativeSelect, Text as Paragraph, Stack, TextInput } from "@mantine/core";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Person } from "../draft.ts";
import { useForm } from "../form.ts";
import newClasses from "../New.module.css";
import { judgeOrcid } from "../orcid.ts";
import { useField } from "../useField.ts";
import classes from "./Authors.module.css";
import { ROLES, roleOf } from "./authors.ts";
import { countriesIn } from "./countries.ts";

interface Props {
  id: string;
  label: string;
  error: string | undefined;
  value: string;
  onBlur: () => void;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

type Text = Exclude<keyof Person, "id">;
const WORK: readonly Text[] = ["affiliation", "rorid"];
const POSTAL: readonly Text[] = ["address", "zipCode", "city"];
/** The fields that authors of one institution share. */
const SHARED: readonly Text[] = [...WORK, ...POSTAL, "country"];

/** All fields of one author. */
export function AuthorFields({ author, before, index }: { author: Person; before: Person | undefined; index: number }) {
  const { t } = useTranslation("new");
  const { setAuthors } = useForm();
  const field = useField();
  const set = (change: Partial<Person>) =>
    setAuthors((authors) => authors.map((one) => (one.id === author.id ? { ...one, ...change } : one)));
  const input = (name: Text, pointer = `/metadata/authors/${index}/${name}`) => ({
    ...field(pointer),
    label: t(`authors.${name}`),
    autoComplete: "off",
    value: author[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set({ [name]: currentTarget.value }),
  });
  const canCopy = before !== undefined && SHARED.some((name) => before[name] !== "" && before[name] !== author[name]);
  const copy = () => set(Object.fromEntries(SHARED.map((name) => [name, before?.[name] ?? ""])));
  return (
    <Stack gap="md" pt="md">
      <div className={newClasses.two}>
        {/* The error “a creator has no name” refers to the author; the first of the two fields shows it. */}
        <TextInput {...input("firstName", `/metadata/authors/${index}`)} />
        <TextInput {...input("lastName")} />
      </div>
      <Paragraph size="sm" c="dimmed" mt={-8}>
        {t("authors.institution")}
      </Paragraph>
      <div className={newClasses.two}>
        <RoleField {...input("role")} />
        <OrcidField {...input("orcid")} />
      </div>
      <div className={newClasses.two}>
        <TextInput {...input("affiliation")} />
        <TextInput
          {...input("rorid")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          description={t("authors.roridDetail")}
          placeholder="https://ror.org/…"
        />
      </div>
      {canCopy && (
        <Button variant="light" size="xs" onClick={copy} style={{ alignSelf: "flex-start" }}>
          {t("authors.copy", { number: index })}
        </Button>
      )}
      <details className={newClasses.fold}>
        <summary>{t("authors.postal")}</summary>
        <Stack gap="md">
          <TextInput {...input("address")} description={t("authors.postalDetail")} />
          <div className={newClasses.two}>
            <TextInput {...input("zipCode")} />
            <TextInput {...input("city")} />
          </div>
          <CountryField {...input("country")} />
        </Stack>
      </details>
    </Stack>
  );
}

interface FieldProps {
  id: string;
  label: string;
  error: string | undefined;
  value: string;
  onBlur: () => void;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

function RoleField({ value, ...field }: FieldProps) {
  const { t } = useTranslation("new");
  const role = roleOf(value);
  const data = ROLES.map((value) => ({ value, label: t(`roles.${value}`) }));
  // A role that is not in the list is kept until the user chooses another one.
  const all = role === undefined ? [{ value, label: value }, ...data] : data;
  return <NativeSelect {...field} data={all} value={role ?? value} />;
}

function CountryField({ value, ...field }: FieldProps) {
  const { i18n } = useTranslation("new");
  const known = useMemo(() => countriesIn(i18n.language), [i18n.language]);
  const isKnown = value === "" || known.some((country) => country.value === value);
  const data = [{ value: "", label: "" }, ...(isKnown ? [] : [{ value, label: value }]), ...known];
  return <NativeSelect {...field} data={data} value={value} />;
}

/** An ORCID iD. Validates it during input, as soon as the result is certain. */
function OrcidField({ value, error, ...field }: Props) {
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
