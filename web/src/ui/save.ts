/** Hands bytes to the browser as a download. */
export function save(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers begin to read after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
