import { BAG_DECLARATION, bagRootOf, readBagDeclaration } from "../../domain/digest-lists/bag.ts";
import { type DigestFormat, manifestOf } from "../../domain/digest-lists/format.ts";
import { folderOf, nothingSelected } from "../../domain/digest-lists/listed-path.ts";
import type { ListOptions } from "../../domain/digest-lists/parse-list.ts";
import { inMessage } from "../../domain/in-message.ts";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import { Problem } from "../../domain/problems.ts";
import type { ListedObject, ListingPage } from "../source.ts";
import { findObject, type ListSource, linesOf } from "./list-lines.ts";

/** A list in the source. */
export interface SourceList {
  object: ListedObject;
  options: ListOptions;
  origin: "source" | "bag";
}

/**
 * Why a list with no selected file cannot be used. Undefined if it can: the manifest of a bag may be empty, and tag files need not be
 * selected.
 */
export function faultOfUnselected({ object, options, origin }: SourceList, entries: number): string | undefined {
  if (origin === "bag" && (entries === 0 || manifestOf(object.key)?.kind === "tags")) return undefined;
  return entries === 0 ? "The list names no files." : nothingSelected(options.base);
}

/** The lists that the request names by key. @throws Problem `digest_list_unreadable` if one does not exist */
export async function namedLists(
  from: ListSource,
  named: readonly { key: string | null; name: string; base: string | null; format: DigestFormat | null }[],
): Promise<SourceList[]> {
  const lists: SourceList[] = [];
  for (const { key, name, base, format } of named) {
    if (key === null) continue;
    const object = await findObject(from, key);
    if (object === undefined)
      throw new Problem("digest_list_unreadable", `The digest list “${inMessage(key)}” does not exist`);
    lists.push({
      object,
      options: { name, base: base ?? folderOf(key), ...(format !== null && { format }) },
      origin: "source",
    });
  }
  return lists;
}

/** The manifests of the bag in the folder of the selection; undefined if it has none. */
export async function bagLists(
  from: ListSource,
  prefix: string | undefined,
  first: ListingPage,
): Promise<{ root: string; lists: SourceList[] } | undefined> {
  const root = bagRootOf(prefix);
  if (root === undefined) return undefined;
  const declaration = await declarationOf(from, root + BAG_DECLARATION, first);
  if (declaration === undefined || declaration.bytes > MOST_DECLARATION) return undefined;
  const text = (await Array.fromAsync(linesOf(from, declaration))).join("\n");
  const declared = readBagDeclaration(text);
  if (declared === undefined) return undefined;
  if (declared.encoding !== "utf-8")
    throw new Problem(
      "digest_list_invalid",
      `The bag states the encoding ${inMessage(declared.encoding)}. Only UTF-8 is supported`,
    );
  const lists: SourceList[] = [];
  for (const kind of ["manifest-", "tagmanifest-"]) {
    for await (const { objects } of from.source.pages({ prefix: root + kind, position: undefined }, from.signal)) {
      for (const object of objects) {
        if (folderOf(object.key) !== root || manifestOf(object.key)?.algorithm === undefined) continue;
        const options = { name: object.key, base: root, format: "bagit" as const, isOldBag: declared.isOld };
        lists.push({ object, options, origin: "bag" });
      }
    }
  }
  const isBag = lists.some(({ object }) => manifestOf(object.key)?.kind === "payload");
  return isBag ? { root, lists } : undefined;
}

/** `bagit.txt` has two lines. */
const MOST_DECLARATION = 10_000;

/** The declaration of a bag is on the first page, unless many keys are before it, or the listing is not in order. */
async function declarationOf(from: ListSource, key: string, first: ListingPage): Promise<ListedObject | undefined> {
  const found = first.objects.find((object) => object.key === key);
  if (found !== undefined || first.next === undefined) return found;
  const isBehind = first.objects.every((object, index) => {
    const before = first.objects[index - 1];
    return before === undefined || compareKeys(before.key, object.key) < 0;
  });
  const last = first.objects.at(-1);
  if (isBehind && last !== undefined && compareKeys(last.key, key) > 0) return undefined;
  return findObject(from, key);
}
