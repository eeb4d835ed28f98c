import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../ui/format.ts";
import { useForm } from "../form.ts";
import { useField } from "../useField.ts";

/** Until when the data are not to be published, and what that means. */
export function Embargo() {
  const { t } = useTranslation("new");
  const { draft, setWhat } = useForm();
  const { embargoDate } = draft.what;
  const { calendarDay } = useFormats();
  // Swedes write the day of today, where somebody is, as ISO 8601 does.
  const isPast = embargoDate !== "" && embargoDate <= new Date().toLocaleDateString("sv-SE");
  const meaning =
    embargoDate === ""
      ? t("what.embargoNone")
      : t(isPast ? "what.embargoPast" : "what.embargoUntil", { date: calendarDay(embargoDate) });
  return (
    <TextInput
      {...useField()("/metadata/embargoDate")}
      type="date"
      label={t("what.embargo")}
      description={meaning}
      value={embargoDate}
      onChange={({ currentTarget }) => setWhat({ embargoDate: currentTarget.value })}
      styles={{ input: { maxWidth: "12rem" } }}
    />
  );
}
