/** The value of `Upload-Metadata` (https://tus.io/protocols/resumable-upload#upload-metadata): each value as UTF-8 in Base64. */
export function uploadMetadata(values: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(values).map(([key, value]) => `${key} ${base64(value)}`);
  return pairs.join(",");
}

function base64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}
