/** The position of no option. */
export const NONE = -1;

/**
 * The active option after a key, as in the pattern “editable combobox with list autocomplete” of WAI-ARIA.
 *
 * @returns undefined if the key belongs to the text field
 */
export function nextActive(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case "ArrowDown":
      return active === count - 1 ? 0 : active + 1;
    case "ArrowUp":
      return active <= 0 ? count - 1 : active - 1;
    case "Home":
      return active === NONE ? undefined : 0;
    case "End":
      return active === NONE ? undefined : count - 1;
    default:
      return undefined;
  }
}
