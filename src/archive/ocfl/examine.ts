import { lstat } from "node:fs/promises";
import { type Checked, type CheckOptions, checkObject, NOTHING_READ } from "./check.ts";

/** {@link checkObject} that never throws: what keeps an object from being read is a finding too. */
export async function examineObject(folder: string, options: CheckOptions): Promise<Checked> {
  try {
    await lstat(folder);
    return await checkObject(folder, options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail = code === "ENOENT" ? "The dataset's folder is missing" : `It cannot be read: ${code ?? message}`;
    return { ok: false, findings: [{ code: "E000", path: "", detail }], ...NOTHING_READ };
  }
}
