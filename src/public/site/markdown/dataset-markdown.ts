import { addressesOn, type FileAddresses } from "../addresses.ts";
import { type Html, isWebAddress } from "../html.ts";
import { relativePath } from "../preview/relative-path.ts";
import { markdownHtml } from "./markdown.ts";
import type { RenderTask } from "./text-renderer.ts";

/**
 * A Markdown file of a dataset as HTML: images come from the same dataset, and relative links lead to its files.
 * @returns undefined for a text that people do not write
 */
export function datasetMarkdown({ text, path, below, pages }: RenderTask): Html | undefined {
  const addresses = addressesOn(pages);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const addressed = (href: string, addressOf: FileAddresses["page"]) => {
    const target = relativePath(folder, href);
    return target === undefined ? undefined : addressOf(target);
  };
  const pageOf = (target: string) => (target.endsWith("/") ? addresses.folder(target) : addresses.page(target));
  return markdownHtml(text, {
    link: (href) => (isWebAddress(href) || /^mailto:/i.test(href) ? href : addressed(href, pageOf)),
    image: (href) => addressed(href, addresses.image),
    rel: "nofollow",
    below,
  });
}
