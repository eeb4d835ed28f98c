/**
 * The Content Security Policy of the page. Everything comes from the service itself; all else that it may
 * speak to are these origins of the operator’s own identity provider. Styles that the page makes while it runs carry
 * the nonce.
 */
export function pagePolicy(nonce: string, provider: readonly string[]): string {
  const directives: Record<string, string[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'", `'nonce-${nonce}'`],
    "connect-src": ["'self'", ...provider],
    // Previews of what is archived are fetched with the caller’s token, and shown from memory.
    "img-src": ["'self'", "data:", "blob:"],
    "base-uri": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
