/** The characters of a text in HTML. */
export function unescaped(html: string): string {
  return html.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: "&", lt: "<", gt: ">", quot: '"' })[name as string] ?? "'",
  );
}

/** The text of a page that a reader sees. */
export function shown(html: string): string {
  return unescaped(html.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ");
}
