/**
 * Shows `<button data-copy="ID OF THE TEXT" data-copied="Copied" hidden>` where the browser has a clipboard, which it gives only to
 * pages with https and to those of the same machine.
 */
export function offerCopies(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    const { copy = "", copied = "" } = button.dataset;
    const text = root.querySelector(`#${CSS.escape(copy)}`);
    if (text === null || navigator.clipboard === undefined) continue;
    button.hidden = false;
    button.addEventListener("click", () => void copyText(text, button, copied));
  }
}

/** The name of the button says what happened, and so readers of the screen hear it. A browser that refuses gets the text selected. */
async function copyText(text: Element, button: HTMLButtonElement, copied: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.textContent.trim());
    button.textContent = copied;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    getSelection()?.selectAllChildren(text);
  }
}
