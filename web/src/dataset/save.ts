import { save } from "../ui/save.ts";

/** Saves a short text as a file; what is large never passes through the page. */
export function saveText(text: string, name: string, type: string): void {
  save(new Blob([text], { type }), name);
}

/** Has the browser save what lies at an address, under the name that the answer gives. */
export function saveFrom(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
