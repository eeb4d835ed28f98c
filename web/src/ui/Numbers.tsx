import { useTranslation } from "react-i18next";
import { useFormats } from "./format.ts";

/** A number of things, in the digits of the language. */
export function Count({ value }: { value: number }) {
  return <>{useFormats().count(value)}</>;
}

/** A size in binary units, and to the byte for whoever points at it. */
export function Bytes({ value }: { value: number }) {
  const { bytes, count } = useFormats();
  return <span title={`${count(value)} B`}>{bytes(value)}</span>;
}

/** How long something takes; words for what is not known. */
export function Duration({ seconds }: { seconds: number | null }) {
  const { t } = useTranslation("ui");
  const { duration } = useFormats();
  return <>{seconds === null ? t("unknown") : duration(seconds)}</>;
}

/** A time to the minute, and to the second for whoever points at it. */
export function DateTime({ iso, dayOnly = false }: { iso: string; dayOnly?: boolean }) {
  const { date, dateTime, exact } = useFormats();
  return (
    <time dateTime={iso} title={exact(iso)}>
      {dayOnly ? date(iso) : dateTime(iso)}
    </time>
  );
}
