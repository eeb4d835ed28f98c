/** Saves a short text as a file; what is large never passes through the page. */
export function saveText(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  saveFrom(url, name);
  // After the browser has taken it up.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Has the browser save what lies at an address, under the name that the answer gives where there is none. */
export function saveFrom(url: string, name = ""): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}
