import { Stack, Textarea, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../ui/format.ts";
import { useForm } from "../form.ts";
import { useField } from "../useField.ts";
import { Embargo } from "./Embargo.tsx";
import { LanguageField } from "./LanguageField.tsx";
import { Licence } from "./Licence.tsx";

/** What search engines want of a description at least. */
const GOOD_LENGTH = 50;
/** What the service takes at most, and from where on it is said how much of that is used. */
const MOST = 100_000;
const NEAR_LIMIT = 90_000;

/** What the dataset is. */
export default function WhatPart() {
  const { t } = useTranslation("new");
  const { draft, setWhat } = useForm();
  const { title, description, subjects } = draft.what;
  const field = useField();
  const { count } = useFormats();
  const length = Array.from(description.trim()).length;
  const short = length > 0 && length < GOOD_LENGTH ? t("what.short", { shown: count(length) }) : "";
  const lengthWords = length > NEAR_LIMIT ? t("what.long", { shown: count(length), most: count(MOST) }) : short;
  return (
    <Stack gap="lg">
      <TextInput
        {...field("/metadata/title")}
        label={t("what.title")}
        description={t("what.titleDetail")}
        required
        autoComplete="off"
        value={title}
        onChange={({ currentTarget }) => setWhat({ title: currentTarget.value })}
      />
      <Textarea
        {...field("/metadata/description")}
        label={t("what.description")}
        description={`${t("what.descriptionDetail")} ${lengthWords}`}
        rows={6}
        value={description}
        onChange={({ currentTarget }) => setWhat({ description: currentTarget.value })}
      />
      <TextInput
        {...field("/metadata/subjects")}
        label={t("what.subjects")}
        description={t("what.subjectsDetail")}
        autoComplete="off"
        value={subjects}
        onChange={({ currentTarget }) => setWhat({ subjects: currentTarget.value })}
      />
      <LanguageField />
      <Licence />
      <Embargo />
    </Stack>
  );
}
