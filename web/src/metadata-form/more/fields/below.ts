/** Puts the explanation below a field, so that fields in one line are aligned. */
export const BELOW = {
  inputWrapperOrder: ["label", "input", "description", "error"] as ("label" | "input" | "description" | "error")[],
};
