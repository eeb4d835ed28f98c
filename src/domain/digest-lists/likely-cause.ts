import { inMessage } from "../in-message.ts";

/**
 * Why files of digest lists are missing, if the source has one of them under a name that is written differently.
 *
 * @param missing keys of missing files
 * @param existAny whether the source has at least one of these keys
 * @returns a sentence without its full stop; undefined if no cause is found
 */
export async function likelyCause(
  missing: readonly string[],
  existAny: (keys: string[]) => boolean | Promise<boolean>,
): Promise<string | undefined> {
  const exists = (...written: ((key: string) => string)[]) =>
    existAny(missing.flatMap((key) => written.map((write) => write(key)).filter((other) => other !== key)));
  if (await exists((key) => key.replaceAll("\\", "/").replace(/(^|\/)\.\//, "$1")))
    return "Write “/” instead of “\\” between folders in the list";
  const isOtherForm = await exists(
    (key) => key.normalize("NFC"),
    (key) => key.normalize("NFD"),
  );
  const [first = ""] = missing[0]?.split("/", 1) ?? [];
  const isBelow = missing.every((key) => key.startsWith(`${first}/`));
  if (isBelow && (await exists((key) => key.slice(first.length + 1))))
    return `The paths in the list begin with “${inMessage(first)}/”: make the list inside this folder (find . -type f -exec sha256sum {} +)`;
  return isOtherForm
    ? "The list has names in another form of Unicode (composed or decomposed) than the source"
    : undefined;
}
