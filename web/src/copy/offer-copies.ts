import { withoutHidden } from "../../../packages/rules/src/index.ts";

/** Milliseconds for which a button says that the text was copied. */
const COPIED_MS = 2_500;

/**
 * Shows `<button data-copy="ID OF THE TEXT" data-copied="Copied" hidden>` where the browser has a clipboard, which it gives only to
 * pages with https and to those of the same machine. The text is copied as it is now, without hidden characters, also if the page
 * makes them visible later.
 */
export function offerCopies(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    const { copy = "", copied = "" } = button.dataset;
    const place = root.querySelector(`#${CSS.escape(copy)}`);
    if (place === null || navigator.clipboard === undefined) continue;
    const text = withoutHidden(place.textContent.trim());
    const words = button.textContent;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onCopied = () => {
      button.textContent = copied;
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = words;
      }, COPIED_MS);
    };
    button.hidden = false;
    button.addEventListener("click", () => void copyText(text, place, onCopied));
  }
}

/** The name of the button says what happened, and so readers of the screen hear it. A browser that refuses gets the text selected. */
async function copyText(text: string, place: Element, onCopied: () => void): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    onCopied();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    getSelection()?.selectAllChildren(place);
  }
}
