import { givenText } from "../../../domain/blank.ts";

// Every expression here takes linear time: it cannot match across the character with which it starts.
/** A comment in HTML. One that is not closed ends with the text. */
export const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const LINE_TAG = /<(?:br|\/p|\/div|\/li|\/tr)\b[^<>]*>/gi;
const TAG =
  /<\/?(?:a|abbr|b|blockquote|br|center|code|dd|details|div|dl|dt|em|figure|font|h[1-6]|hr|i|img|kbd|li|ol|p|picture|pre|q|s|small|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)\b[^<>]*>/gi;
const ENTITY = /&(amp|lt|gt|quot|nbsp|#39);/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

/** The text without HTML comments and tags; undefined if nothing is left. */
export function withoutTags(text: string | undefined): string | undefined {
  const plain = text
    ?.replace(COMMENT, "")
    .replace(LINE_TAG, "\n")
    .replace(TAG, "")
    .replace(ENTITY, (_, name: string) => ENTITIES[name] ?? "");
  return givenText(plain);
}

/**
 * The text of Markdown or reStructuredText without comments, tags, images, badges, link targets and emphasis; undefined if
 * nothing is left.
 */
export function plainText(markup: string | undefined): string | undefined {
  const text = markup
    ?.replace(COMMENT, "")
    .replace(/!\[[^[\]]*\](?:\([^()]*\)|\[[^[\]]*\])/g, "")
    .replace(/\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, "$1")
    .replace(/<((?:https?:\/\/|mailto:)[^<>\s]*)>(?!`)/g, "$1")
    .replace(/`([^`<>]*)<[^`<>]*>`__?/g, (_, label: string) => label.trimEnd())
    .replace(/:[a-z]{2,20}:`/g, "`")
    .replace(/`+_{0,2}|\*\*|(?<![\p{L}\p{N}])__(?=\S)|(?<=\S)__(?![\p{L}\p{N}])/gu, "")
    .replace(/(?<![\p{L}\p{N}*])\*([^\s*][^*\n]*)\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/(?<![\p{L}\p{N}_])_([^\s_][^_\n]*)_(?![\p{L}\p{N}_])/gu, "$1")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");
  return withoutTags(text);
}
