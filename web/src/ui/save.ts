/** Saves bytes as a file. */
export function save(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers start to read only after the click event.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Saves a short text as a file. Large files are never held by the page. */
export function saveText(text: string, name: string, type: string): void {
  save(new Blob([text], { type }), name);
}

/** Saves the signed receipt of a submission. */
export function saveReceipt(submission: string, jws: string): void {
  saveText(jws, `receipt-${submission}.jws`, "application/jose");
}

/** Lets the browser download an address, under the file name that the response states. */
export function saveFrom(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
