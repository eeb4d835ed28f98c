import { LONGEST_COMMENT } from "../../../packages/rules/src/index.ts";

/** A prepared text for the comment of a curator. */
export interface ReplyTemplate {
  /** BCP 47, lower case. */
  language: string;
  title: string;
  /** Markdown. */
  text: string;
}

const LONGEST_TITLE = 200;

/**
 * The templates in a Markdown file: each begins with a heading of the first level, which is its title.
 *
 * @throws Error with what is wrong, as the end of a sentence about the file
 */
export function replyTemplatesIn(language: string, file: string): ReplyTemplate[] {
  const [before = "", ...parts] = file.replaceAll("\r\n", "\n").split(/^# /m);
  if (before.trim() !== "" || parts.length === 0) {
    throw new Error("must begin with a heading such as “# Missing licence”, the title of the first template");
  }
  const templates = parts.map((part) => {
    const [title = "", ...lines] = part.split("\n");
    return { language, title: title.trim(), text: lines.join("\n").trim() };
  });
  for (const [index, { title, text }] of templates.entries()) {
    if (title === "" || title.length > LONGEST_TITLE) {
      throw new Error(`has a title that is empty or exceeds ${LONGEST_TITLE} characters`);
    }
    if (text === "") throw new Error(`has no text for the template “${title}”`);
    if (text.length > LONGEST_COMMENT) {
      throw new Error(`has a text of more than ${LONGEST_COMMENT} characters for the template “${title}”`);
    }
    if (templates.findIndex((one) => one.title === title) < index) {
      throw new Error(`has two templates with the title “${title}”`);
    }
  }
  return templates;
}
