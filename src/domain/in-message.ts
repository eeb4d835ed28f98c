/** Prepares servers' texts and callers' names for messages: removes control characters and truncates them. */
export function inMessage(text: string): string {
  const clean = text.replace(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, "\u{FFFD}");
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
}
