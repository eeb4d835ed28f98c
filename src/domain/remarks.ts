/** Maximum number of errors, and of warnings, that a check collects. Bounds the work for a hostile request. */
export const mostRemarks = 10_000;

/** A JSON pointer (RFC 6901) to a member or entry below `base`. */
export function pointerTo(base: string, ...names: (string | number)[]): string {
  return names.reduce<string>(
    (pointer, name) => `${pointer}/${String(name).replace(/~/g, "~0").replace(/\//g, "~1")}`,
    base,
  );
}
