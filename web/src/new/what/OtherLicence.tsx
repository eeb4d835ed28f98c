import { Autocomplete, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import licences from "spdx-license-list";

const IDS = Object.keys(licences).sort();
const names = new Map(Object.entries(licences).map(([id, { name }]) => [id, name]));

/** Any licence of SPDX, by its id or its name; or whatever else somebody writes. */
export default function OtherLicence({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("new");
  return (
    <Autocomplete
      label={t("what.licenseWhich")}
      description={names.get(value) ?? t("what.licenseWhichDetail")}
      data={IDS}
      limit={30}
      value={value}
      onChange={onChange}
      filter={({ search, limit }) => {
        const wanted = search.trim().toLowerCase();
        const found = IDS.filter((id) => `${id} ${names.get(id)}`.toLowerCase().includes(wanted));
        return found.slice(0, limit).map((id) => ({ value: id, label: id }));
      }}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.value}</Text>
          <Text size="xs" c="dimmed">
            {names.get(option.value)}
          </Text>
        </div>
      )}
    />
  );
}
