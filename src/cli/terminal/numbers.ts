export { count, several, size } from "../../domain/numbers.ts";

/** Formats seconds: `45 s`, `12 min`, `3 h 20 min`, `5 days`. */
export function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.round(hours / 24)} days`;
}

/** Formats an ISO time in local time: `2026-06-01 08:00`. */
export function moment(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** Formats the time of day of an ISO time in local time: `08:00:12`. */
export function clock(iso: string): string {
  return Number.isNaN(Date.parse(iso)) ? iso : new Date(iso).toTimeString().slice(0, 8);
}
