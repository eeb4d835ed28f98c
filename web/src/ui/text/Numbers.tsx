import { useFormats } from "./format.ts";

/** A number in the format of the language. */
export function Count({ value }: { value: number }) {
  return <>{useFormats().count(value)}</>;
}

/** A size in binary units; the tooltip shows the exact number of bytes. */
export function Bytes({ value }: { value: number }) {
  const { bytes, count } = useFormats();
  return <span title={`${count(value)} B`}>{bytes(value)}</span>;
}

/** A time to the minute; the tooltip shows the seconds. */
export function DateTime({ iso, dayOnly = false }: { iso: string; dayOnly?: boolean }) {
  const { date, dateTime, exact } = useFormats();
  return (
    <time dateTime={iso} title={exact(iso)}>
      {dayOnly ? date(iso) : dateTime(iso)}
    </time>
  );
}
