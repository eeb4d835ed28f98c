/** The name of the owner of a token, as a JSON Schema of a string. Names do not begin or end with a space. */
export const TOKEN_NAME = { minLength: 1, maxLength: 200, pattern: "^\\S(.*\\S)?$" } as const;

/** Whether a text is the name of an owner; see {@link TOKEN_NAME}. */
export function isTokenName(text: string): boolean {
  return [...text].length <= TOKEN_NAME.maxLength && new RegExp(TOKEN_NAME.pattern, "u").test(text);
}
