import { Anchor, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyLoaded } from "../../ui/lazyLoaded.tsx";
import { useMetadataForm } from "../context.ts";
import { useField } from "../useField.ts";

/** Loads the SPDX list only when the user chooses another licence. */
const OtherLicence = lazyLoaded(() => import("./OtherLicence.tsx"));

/** The licences that most datasets use, the least restrictive first. */
const USUAL = ["CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0"] as const;
const OTHER = "other";

/** The choice of a licence, with explanations of the common ones. */
export function Licence() {
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
              {...(index === 0 && { id })}
              label={t(`licences.${value}.name`)}
              description={t(`licences.${value}.means`)}
            />
          ))}
          <Radio
            value={OTHER}
            label={t("description.licenseOther")}
            description={t("description.licenseOtherDetail")}
          />
        </Stack>
      </Radio.Group>
      {isOther && <OtherLicence value={license} onChange={write} />}
    </Stack>
  );
}
