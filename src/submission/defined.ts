type Optional<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? true : false;

/**
 * The same members without those that are `undefined`: under `exactOptionalPropertyTypes` an optional member is absent,
 * not undefined. The caller names every member, so none is forgotten.
 */
export function defined<T extends object>(
  members: {
    [K in keyof T]-?: Optional<T, K> extends true ? T[K] | undefined : T[K];
  },
): T {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as T;
}
