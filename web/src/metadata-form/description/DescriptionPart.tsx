import { LONGEST_DESCRIPTION, SHORT_DESCRIPTION } from "@accession/rules";
import { Anchor, Button, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import IconFileImport from "@tabler/icons-react/dist/esm/icons/IconFileImport.mjs";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useService } from "../../api/service.ts";
import { CommentsAt } from "../../comments/CommentsAt.tsx";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { useFormats } from "../../ui/text/format.ts";
import { BelowField } from "../BelowField.tsx";
import { useMetadataForm } from "../context.ts";
import { languagesIn } from "../entries/languages.ts";
import classes from "../import/Import.module.css";
import { readFiles } from "../import/readFiles.ts";
import { useFillDialog } from "../import/useFillDialog.tsx";
import { MoreGroups } from "../more/MoreGroups.tsx";
import { useField, useTextMember } from "../useField.ts";

/** The length from which the page shows how much is used. */
const NEAR_LIMIT = 0.9 * LONGEST_DESCRIPTION;

/** The section for title, description, keywords, language, licence and embargo, and the optional groups. */
export default function DescriptionPart() {
  const { t } = useTranslation("new");
  const { description } = useMetadataForm().draft.description;
  const input = useTextMember();
  const { count } = useFormats();
  const length = Array.from(description.trim()).length;
  const short = length > 0 && length < SHORT_DESCRIPTION ? t("description.short", { shown: count(length) }) : "";
  const lengthWords =
    length > NEAR_LIMIT ? t("description.long", { shown: count(length), most: count(LONGEST_DESCRIPTION) }) : short;
  return (
    <Stack gap="lg">
      <FileOffer />
      <TextInput {...input("title")} description={t("description.titleDetail")} required />
      <BelowField member="title" />
      <Textarea
        {...input("description")}
        description={`${t("description.descriptionDetail")} ${lengthWords}`}
        rows={6}
      />
      <BelowField member="description" />
      <TextInput {...input("subjects")} description={t("description.subjectsDetail")} />
      <BelowField member="subjects" />
      <LanguageField />
      <BelowField member="language" />
      <Licence />
      <BelowField member="license" />
      <Embargo />
      <CommentsAt member="embargoDate" />
      <MoreGroups />
    </Stack>
  );
}

/** The end of the embargo, with an explanation. */
function Embargo() {
  const { t } = useTranslation("new");
  const field = useTextMember()("embargoDate");
  const embargoDate = field.value;
  const { calendarDay } = useFormats();
  // The Swedish locale formats the local date as ISO 8601.
  const isPast = embargoDate !== "" && embargoDate <= new Date().toLocaleDateString("sv-SE");
  const publishes = (useService()?.publication ?? "off") !== "off";
  const meaning =
    embargoDate === ""
      ? t(publishes ? "description.embargoNoneYet" : "description.embargoNone")
      : t(isPast ? "description.embargoPast" : publishes ? "description.embargoProposed" : "description.embargoUntil", {
          date: calendarDay(embargoDate),
        });
  return <TextInput {...field} type="date" description={meaning} styles={{ input: { maxWidth: "12rem" } }} />;
}

/** The language of the data. Offers names in the language of the page, and also accepts codes. */
function LanguageField() {
  const { t, i18n } = useTranslation("new");
  const known = useMemo(() => languagesIn(i18n.language), [i18n.language]);
  return (
    <>
      <TextInput
        {...useTextMember()("language")}
        description={t("description.languageDetail")}
        list="languages"
        spellCheck={false}
        styles={{ wrapper: { maxWidth: "20rem" } }}
      />
      <datalist id="languages">
        {known.map(({ code, name }) => (
          <option key={code} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** Fills the form from metadata files that the user chooses. `FileDrop` receives those that the user drops. */
function FileOffer() {
  const { t } = useTranslation("new");
  const { open, dialog } = useFillDialog();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={classes.offer}>
      <p>{t("import.files")}</p>
      <Button
        variant="light"
        leftSection={<IconFileImport size={18} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {t("import.choose")}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        onChange={({ currentTarget }) => {
          // Copied, because resetting the field empties its list. It is reset so that the same file can be chosen again.
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = "";
          if (files.length > 0) open(() => readFiles(files, t));
        }}
      />
      {dialog}
    </div>
  );
}

/** Loads the SPDX list only when the user chooses another licence. */
const OtherLicence = lazyLoaded(() => import("./OtherLicence.tsx"));

/** The licences that most datasets use, the least restrictive first. */
const USUAL = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0"] as const;
const OTHER = "other";

/** The choice of a licence, with explanations of the common ones. */
function Licence() {
  const { t } = useTranslation("new");
  const { draft, setDescription } = useMetadataForm();
  const { license } = draft.description;
  const { id, ...field } = useField()("/metadata/license");
  const isUsual = USUAL.some((one) => one === license);
  const [hasChosenOther, setOther] = useState(license !== "" && !isUsual);
  // A file can fill in another licence.
  const isOther = hasChosenOther || (license !== "" && !isUsual);
  const choose = (value: string) => {
    setOther(value === OTHER);
    setDescription({ license: value === OTHER ? "" : value });
  };
  const write = (text: string) => {
    // The field stays open while it is empty.
    setOther(true);
    setDescription({ license: text });
  };
  return (
    <Stack gap="md">
      <Radio.Group
        {...field}
        size="md"
        name="license"
        label={t("description.license")}
        description={
          <>
            {t("description.licenseDetail")}{" "}
            <Anchor
              inherit
              underline="always"
              href="https://creativecommons.org/share-your-work/cclicenses/"
              rel="noreferrer"
              target="_blank"
            >
              {t("description.licenseHelp")}
            </Anchor>
          </>
        }
        value={isOther ? OTHER : license}
        onChange={choose}
      >
        <Stack gap="sm" mt="xs">
          {USUAL.map((value, index) => (
            <Radio
              key={value}
              value={value}
              size="md"
              {...(index === 0 && { id })}
              label={t(`licences.${value}.name`)}
              description={t(`licences.${value}.means`)}
            />
          ))}
          <Radio
            value={OTHER}
            size="md"
            label={t("description.licenseOther")}
            description={t("description.licenseOtherDetail")}
          />
        </Stack>
      </Radio.Group>
      {isOther && <OtherLicence value={license} onChange={write} />}
    </Stack>
  );
}
