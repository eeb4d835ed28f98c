import { inMessage } from "../in-message.ts";

/** A way to write a key, and why it is missing if the source has it. */
type Cause = [sentence: string, ...ways: ((key: string) => string)[]];

const CAUSES: Cause[] = [
  ["Write “/” instead of “\\” between folders in the list", (key) => key.replaceAll("\\", "/")],
  ["The list has paths with “/./”. Make the list with find . -type f", (key) => key.replaceAll("/./", "/")],
  [
    "The list has names in another form of Unicode (composed or decomposed) than the source",
    (key) => key.normalize("NFC"),
    (key) => key.normalize("NFD"),
  ],
];

/**
 * Why files of digest lists are missing, if the source has one of them under a name that is written differently.
 *
 * @param missing keys of missing files
 * @param source.hasNone whether the source has no file of the lists
 * @param source.existAny whether the source has at least one of these keys
 * @returns a sentence without its full stop; undefined if no cause is found
 */
export async function likelyCause(
  missing: readonly string[],
  source: { hasNone: boolean; existAny: (keys: string[]) => boolean | Promise<boolean> },
): Promise<string | undefined> {
  const [first = ""] = missing[0]?.split("/", 1) ?? [];
  const isBelow = source.hasNone && missing.every((key) => key.startsWith(`${first}/`));
  const below: Cause = [
    `The paths in the list begin with “${inMessage(first)}/”: make the list inside this folder (find . -type f -exec sha256sum {} + > ../SHA256SUMS)`,
    (key) => key.slice(first.length + 1),
  ];
  for (const [sentence, ...ways] of isBelow ? [below, ...CAUSES] : CAUSES) {
    const others = missing.flatMap((key) => ways.map((write) => write(key)).filter((other) => other !== key));
    if (await source.existAny(others)) return sentence;
  }
  return undefined;
}
