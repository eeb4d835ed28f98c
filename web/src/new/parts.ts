/** The parts of the form, in the order in which they are offered. */
export const PARTS = ["where", "what", "who", "review"] as const;
export type Part = (typeof PARTS)[number];

/** In which part a member of the request is written, by its pointer; `review` for what lies in none. */
export function partOf(pointer: string): Part {
  if (pointer.startsWith("/metadata/authors")) return "who";
  if (pointer.startsWith("/metadata")) return "what";
  return pointer.startsWith("/s3Access") || pointer.startsWith("/selection") ? "where" : "review";
}

/** The id of the field in which a member is written. */
export function fieldId(pointer: string): string {
  return `field${pointer.replaceAll("/", "-")}`;
}

/** Whether a pointer is another, or leads to something inside of it. */
export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}
