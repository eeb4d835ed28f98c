import type { Draft } from "../draft.ts";
import { cutAtWord } from "../reading/text.ts";
import { COMMENT, plainText } from "./plain-text.ts";

/** Only the beginning of a README is read, in characters. */
const READ = 200_000;
/** Maximum length of a suggested description: that which dataset search engines expect. */
const LONGEST_DESCRIPTION = 5_000;
/** Maximum length of a heading that can be a title. */
const LONGEST_TITLE = 500;
/** Headings that are not titles. */
const GENERAL =
  /^(?:read ?me|about|contents|(?:dataset )?description|information|introduction|overview|references|summary|table of contents)$/i;
/** Shorter paragraphs, such as “Version 1.0”, do not describe a dataset. */
const FEWEST_WORDS = 4;

/** A line of at least three equal punctuation characters, which underlines a heading. */
const UNDERLINE = /^([=\-~^"#*+])\1{2,}$/;
/** List items, quotations, tables, directives, definitions and field lists. */
const OTHER_BLOCK = /^(?:[-*+>|] |\||\d{1,9}[.)] |\.\. |\[[^[\]]*\]:|:[\w -]{1,40}:|<\/?(?:table|ul|ol|details)\b)/i;

interface Block {
  kind: "heading" | "paragraph" | "other";
  text: string;
  line: number;
}

/** Fills a draft from a README in plain text, Markdown or reStructuredText: its first heading and its first paragraph. */
export function fromReadme(text: string, draft: Draft): void {
  const blocks = blocksOf(text.slice(0, READ));
  for (const { kind, text: markup, line } of blocks) {
    const plain = plainText(markup)
      ?.replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n ?/g, "\n");
    if (plain === undefined) continue;
    const place = `line ${line}`;
    if (kind === "heading" && plain.length <= LONGEST_TITLE && !GENERAL.test(plain)) {
      draft.set("title", place, plain.replaceAll("\n", " "));
    }
    if (kind === "paragraph" && plain.split(/\s/, FEWEST_WORDS).length === FEWEST_WORDS) {
      draft.set("description", place, cutAtWord(plain.replaceAll("\n", " "), LONGEST_DESCRIPTION));
    }
    // A heading below the first paragraph is that of a section.
    if (draft.has("description")) return;
  }
}

function blocksOf(text: string): Block[] {
  // Tabs are kept, because they can separate words. Other control characters have no meaning in a README.
  const lines = text
    .replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ""))
    .replace(/[\0-\x08\x0b\x0e-\x1f\x7f]/g, "")
    .split(/\r\n|[\r\n\f]/);
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let fence: string | undefined;
  let start = frontMatterEnd(lines);
  const end = (index: number) => {
    const [first] = paragraph;
    const kind = first !== undefined && OTHER_BLOCK.test(first) ? "other" : "paragraph";
    if (first !== undefined) blocks.push({ kind, text: paragraph.join("\n"), line: index - paragraph.length + 1 });
    paragraph = [];
  };
  for (; start < lines.length; start += 1) {
    const stated = lines[start] ?? "";
    const line = stated.trim();
    const marker = /^(?:```|~~~)/.exec(line)?.[0];
    if (fence !== undefined) {
      if (line.startsWith(fence)) fence = undefined;
      continue;
    }
    const heading = headingIn(line);
    if (marker !== undefined) {
      end(start);
      fence = marker;
    } else if (line === "") end(start);
    else if (heading !== undefined) {
      end(start);
      blocks.push({ kind: "heading", text: heading, line: start + 1 });
    } else if (UNDERLINE.test(line)) {
      // One line above is a heading; otherwise the line separates parts or is above a heading.
      const [title, ...others] = paragraph;
      if (title !== undefined && others.length === 0) {
        blocks.push({ kind: "heading", text: title, line: start });
        paragraph = [];
      } else end(start);
    } else if (paragraph.length === 0 && /^(?: {4}|\t)/.test(stated)) {
      // Indented code, or the content of a directive.
    } else {
      if (/^(?:[-*+]|\d{1,9}[.)]) /.test(line)) end(start);
      paragraph.push(line);
    }
  }
  end(lines.length);
  return blocks;
}

/** The text of a heading in Markdown or HTML that is on one line. */
function headingIn(line: string): string | undefined {
  if (/^#{1,6}\s/.test(line))
    return line
      .replace(/^#+\s/, "")
      .trimEnd()
      .replace(/(?<!#)#+$/, "");
  return /^<h[1-6]\b[^<>]*>/i.test(line) ? line : undefined;
}

/** The line after a YAML header between two lines with three hyphens, as on Hugging Face. */
function frontMatterEnd(lines: string[]): number {
  if (lines[0]?.trim() !== "---") return 0;
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
  return end < 0 ? 0 : end + 1;
}
