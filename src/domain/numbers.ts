const UNITS = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] as const;

/** A number of bytes for display: `41.2 MiB`. */
export function size(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** `12,345`. */
export function count(number: number): string {
  return number.toLocaleString("en-US");
}

/** `2 minutes`, `90 seconds`. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds % 60 === 0 ? several(seconds / 60, "minute") : several(seconds, "second");
}

/** `1 object`, `12 objects`. */
export function several(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}
