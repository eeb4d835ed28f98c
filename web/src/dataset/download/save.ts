import { save } from "../../ui/save.ts";

/** Saves a short text as a file. Large files are never held by the page. */
export function saveText(text: string, name: string, type: string): void {
  save(new Blob([text], { type }), name);
}

/** Lets the browser download an address, under the file name that the response states. */
export function saveFrom(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
