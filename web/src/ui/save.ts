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
