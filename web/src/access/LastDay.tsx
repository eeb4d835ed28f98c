import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface Props {
  value: string;
  onChange: (day: string) => void;
  isLink: boolean;
  error: string | undefined;
}

/** The last day of an access, which is optional. */
export function LastDay({ value, onChange, isLink, error }: Props) {
  const { t } = useTranslation("access");
  return (
    <TextInput
      type="date"
      label={t("terms.lastDay")}
      description={t(isLink ? "terms.lastDayOfLink" : "terms.lastDayOfPerson")}
      value={value}
      min={new Date().toISOString().slice(0, 10)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      styles={{ input: { maxWidth: "12rem" } }}
    />
  );
}

/** The end of an access as it is entered: a day, or empty for the default of the service. */
export function expiryOf(day: string): { expiresAt?: string } {
  // The whole day counts, in UTC like embargoes.
  return day === "" ? {} : { expiresAt: `${day}T23:59:59.000Z` };
}
