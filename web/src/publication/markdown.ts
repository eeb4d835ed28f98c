interface Item {
  text: string;
  /** Number of its first line. */
  line: number;
}

/** A part of a text in Markdown. */
export type Block =
  | { kind: "heading"; text: string; line: number }
  | { kind: "paragraph"; text: string; line: number }
  | { kind: "numbered"; start: number; items: Item[]; line: number }
  | { kind: "bullets"; items: Item[]; line: number };

const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const NUMBERED = /^\s{0,3}(\d{1,9})[.)]\s+(.*)$/;
const BULLET = /^\s{0,3}[-*+]\s+(.*)$/;

/** Divides a text in Markdown into headings, lists and paragraphs. Emphasis and links stay as they are written. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const [line, text] of markdown.split(/\r?\n/).entries()) {
    const last = blocks.at(-1);
    const [heading, numbered, bullet] = [HEADING.exec(text), NUMBERED.exec(text), BULLET.exec(text)];
    if (text.trim() === "") {
      isOpen = false;
      continue;
    }
    if (heading !== null) blocks.push({ kind: "heading", text: heading[1] ?? "", line });
    else if (numbered !== null) {
      const item = { text: numbered[2] ?? "", line };
      if (last?.kind === "numbered") last.items.push(item);
      else blocks.push({ kind: "numbered", start: Number(numbered[1]), items: [item], line });
    } else if (bullet !== null) {
      const item = { text: bullet[1] ?? "", line };
      if (last?.kind === "bullets") last.items.push(item);
      else blocks.push({ kind: "bullets", items: [item], line });
    } else if (isOpen && last !== undefined && last.kind !== "heading") {
      const open = last.kind === "paragraph" ? last : last.items.at(-1);
      if (open !== undefined) open.text += ` ${text.trim()}`;
    } else blocks.push({ kind: "paragraph", text: text.trim(), line });
    isOpen = heading === null;
  }
  return blocks;
}
