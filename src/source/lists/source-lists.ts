import type { DigestAlgorithm } from "../../domain/digest-lists/algorithms.ts";
import { BAG_DECLARATION, bagRootOf, MOST_DECLARATION, readBagDeclaration } from "../../domain/digest-lists/bag.ts";
import { type DigestFormat, manifestOf } from "../../domain/digest-lists/format.ts";
import { folderOf, nothingSelected } from "../../domain/digest-lists/listed-path.ts";
import type { ListOptions } from "../../domain/digest-lists/parse-list.ts";
import { inMessage } from "../../domain/in-message.ts";
import { several } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import type { NamedFiles } from "../../domain/submission/digest-state.ts";
import type { ListedObject, ListingPage } from "../source.ts";
import { findObject, isBehind, type ListSource, linesOf } from "./list-lines.ts";

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
      throw new Problem("digest_list_unreadable", `The checksum list “${inMessage(key)}” does not exist`);
    lists.push({
      object,
      options: { name, base: base ?? folderOf(key), ...(format !== null && { format }) },
      origin: "source",
    });
  }
  return lists;
}

/** A bag in the source. */
export interface SourceBag {
  /** Its folder: empty, or with a slash at the end. */
  root: string;
  /** Its manifests; empty if the algorithms of all payload manifests are not supported. */
  lists: SourceList[];
  /** Keys of the first payload manifests whose algorithm is not supported. */
  unsupported: string[];
  /** Payload manifests that must name every file of the payload (RFC 8493, section 3): all, unless the bag is older. */
  complete: DigestAlgorithm[];
}

/** The bag in the folder of the selection; undefined if it has none. */
export async function bagLists(
  from: ListSource,
  prefix: string | undefined,
  first: ListingPage,
): Promise<SourceBag | undefined> {
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
  const unsupported: string[] = [];
  for (const kind of ["manifest-", "tagmanifest-"]) {
    for await (const { objects } of from.source.pages({ prefix: root + kind, position: undefined }, from.signal)) {
      for (const object of objects) {
        const manifest = folderOf(object.key) === root ? manifestOf(object.key) : undefined;
        if (manifest?.algorithm === undefined) {
          if (manifest?.kind === "payload" && unsupported.length < MOST_NAMED) unsupported.push(object.key);
          continue;
        }
        const options = { name: object.key, base: root, format: "bagit" as const, isOldBag: declared.isOld };
        lists.push({ object, options, origin: "bag" });
      }
    }
  }
  const manifests = lists.map(({ object }) => manifestOf(object.key));
  const payload = manifests.flatMap((one) => (one?.kind === "payload" ? (one.algorithm ?? []) : []));
  if (payload.length === 0)
    return unsupported.length === 0 ? undefined : { root, lists: [], unsupported, complete: [] };
  return { root, lists, unsupported, complete: declared.isOld ? [] : [...new Set(payload)] };
}

/** Files of the payload that are not in each of these manifests. @returns undefined without such files */
export function faultOfBag({ complete }: SourceBag, { total, keys }: NamedFiles): string | undefined {
  if (total === 0) return undefined;
  const named = keys.slice(0, MOST_NAMED).map((key) => `“${inMessage(key)}”`);
  const manifests = complete.map((algorithm) => `manifest-${algorithm}.txt`).join(" and ");
  const more = total > named.length ? " and others" : "";
  return `The bag is not valid: ${several(total, "file is", "files are")} not in each of ${manifests}: ${named.join(", ")}${more}. Each of them must name every file of the payload (RFC 8493)`;
}

const MOST_NAMED = 5;

/** The declaration of a bag is on the first page, unless many keys are before it, or the listing is not in order. */
async function declarationOf(from: ListSource, key: string, first: ListingPage): Promise<ListedObject | undefined> {
  const found = first.objects.find((object) => object.key === key);
  if (found !== undefined || first.next === undefined) return found;
  return isBehind(first, key) ? undefined : findObject(from, key);
}
