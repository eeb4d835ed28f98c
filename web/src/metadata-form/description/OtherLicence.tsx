import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import licences from "spdx-license-list";

const all = Object.entries(licences).sort(([one], [other]) => (one < other ? -1 : 1));
const names = new Map(all.map(([id, { name }]) => [id, name]));

/** Any licence: an SPDX identifier, a name, or an address. */
export default function OtherLicence({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("new");
  return (
    <>
      <TextInput
        label={t("description.licenseWhich")}
        description={names.get(value) ?? t("description.licenseWhichDetail")}
        list="licences"
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id="licences">
        {all.map(([id, { name }]) => (
          <option key={id} value={id} label={`${id}: ${name}`} />
        ))}
      </datalist>
    </>
  );
}
