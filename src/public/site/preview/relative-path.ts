/**
 * The path to which a relative address in a file of a dataset leads.
 *
 * @param folder the folder of the file, with a slash at the end; empty for the folder of all files
 * @returns undefined if it leads elsewhere: to another site, to a place in the same file, or above the folder of all files
 */
export function relativePath(folder: string, address: string): string | undefined {
  const [written = ""] = address.split(/[?#]/, 1);
  if (written === "" || /^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(written)) return undefined;
  const path = unescapedPath(written);
  if (path === undefined) return undefined;
  const parts = folder.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.length === 0 ? undefined : `${parts.join("/")}${path.endsWith("/") ? "/" : ""}`;
}

/** Undefined if its percent encoding is not valid. */
function unescapedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
