import type { PackageArea } from "../../archive/store.ts";
import { contentOf } from "../../archive/versions.ts";
import { displacedAt } from "../../db/chunks/chunks.ts";
import { editObjects } from "../../db/chunks/edit.ts";
import { contentPathOf, type ObjectRecord, placeOfObject, recordedPath } from "../../db/chunks/objects.ts";
import { objectsOfKeys } from "../../db/chunks/unordered-keys.ts";
import { lockSubmission, stillActive } from "../../db/submissions/submissions.ts";
import { inMessage } from "../../domain/in-message.ts";
import { Problem } from "../../domain/problems.ts";
import type { AttemptRef, StepContext } from "../context.ts";
import type { EarlierVersions } from "./earlier-versions.ts";

/** The attempt and worker that build the package, and its parts. */
interface Making {
  area: PackageArea;
  fence: number;
  version: number;
  earlier: EarlierVersions | undefined;
}

/**
 * Compares the placed files with the stored objects, in both directions. Every object must have its file, with its size,
 * in this version or an earlier one. Files that belong to no stored object (left by a crash, an earlier attempt, or an
 * object excluded afterwards), or whose content an earlier version has, are removed.
 */
export class PlacedFiles {
  readonly #context: StepContext;
  readonly #work: AttemptRef;
  readonly #making: Making;
  #own = 0;
  #missing = 0;

  constructor(context: StepContext, work: AttemptRef, making: Making) {
    this.#context = context;
    this.#work = work;
    this.#making = making;
  }

  /**
   * Checks the files of some objects.
   * @returns the content paths of the stored objects, relative to the object’s folder, by sequence number in the listing
   * @throws Problem `verification_failed` if a file has a different size, or is missing in the version that should hold it
   */
  async match(objects: readonly ObjectRecord[]): Promise<Map<number, string>> {
    const { own, paths } = await this.#sort(objects.filter(({ state }) => state === "stored"));
    await this.#noteEarlier(objects, paths);
    const sizes = await this.#making.area.sizes(own.map(placeOfObject));
    for (const [index, object] of own.entries()) {
      const bytes = sizes[index];
      if (bytes === undefined) this.#missing++;
      else if (bytes !== object.bytes) {
        throw broken(`the file “${placeOfObject(object)}” has ${bytes} bytes instead of ${object.bytes}`);
      }
      paths.set(object.seq, `${contentOf(this.#making.version)}/${placeOfObject(object)}`);
    }
    this.#own += own.length;
    return paths;
  }

  /**
   * Must be called after all objects were checked.
   * @throws Problem `verification_failed` if a stored object has no file
   */
  async finish(): Promise<void> {
    if (this.#missing > 0) throw broken(`${this.#missing} of the stored files are missing`);
    // No two objects share a path: if there are as many files as objects, every file belongs to an object.
    if ((await this.#making.area.count()) !== this.#own) await this.#removeUnknown();
  }

  /** Separates objects whose content an earlier version holds, with its paths, from objects whose content is in this version. */
  async #sort(stored: readonly ObjectRecord[]): Promise<{ own: ObjectRecord[]; paths: Map<number, string> }> {
    const { earlier } = this.#making;
    const paths = new Map<number, string>();
    if (earlier === undefined) return { own: [...stored], paths };
    const found = stored.flatMap((object) => {
      const path = object.sha512 === null ? undefined : earlier.content.find(object.sha512);
      if (path === undefined) return [];
      // A kept object keeps its path; equal content may also be at other paths.
      return [{ object, path: object.verifiedIn === null ? path : contentPathOf(object, this.#making.version) }];
    });
    const sizes = await earlier.sizes(found.map(({ path }) => path));
    // If the earlier version's file is damaged, the content in this version is used.
    for (const [index, { object, path }] of found.entries()) {
      if (sizes[index] === object.bytes) paths.set(object.seq, path);
    }
    const own = stored.filter(({ seq }) => !paths.has(seq));
    const lost = own.find(({ verifiedIn }) => verifiedIn !== null);
    if (lost === undefined) return { own, paths };
    throw new Problem(
      "verification_failed",
      `The archive no longer holds the content of “${inMessage(lost.key)}” from version ${lost.verifiedIn}. Submit the version again with “refetch” to read the object again`,
    );
  }

  /** Records the content path of objects whose content an earlier version has, so that requests for them read that file. */
  async #noteEarlier(objects: readonly ObjectRecord[], paths: ReadonlyMap<number, string>): Promise<void> {
    const { version, fence } = this.#making;
    const found = objects.filter(({ seq }) => paths.has(seq));
    const elsewhere = found.filter((object) => contentPathOf(object, version) !== paths.get(object.seq));
    if (elsewhere.length === 0) return;
    const { id, attempt } = this.#work;
    const seqs = elsewhere.map(({ seq }) => seq);
    await this.#context.db.transaction().execute(async (trx) => {
      const row = await lockSubmission(trx, id);
      if (row?.attempt !== attempt || row.fence !== fence) throw new Problem("wrong_state");
      await editObjects(trx, id, attempt, seqs, (object) => {
        object.contentPath = recordedPath(paths.get(object.seq) ?? "", object, version);
        return true;
      });
    });
  }

  async #removeUnknown(): Promise<void> {
    const { area, fence } = this.#making;
    const { db } = this.#context;
    const { id, attempt } = this.#work;
    for await (const paths of area.storedPaths()) {
      const keys = paths.filter((path) => path.startsWith("data/")).map((path) => path.slice("data/".length));
      const natural = await objectsOfKeys(db, id, attempt, keys);
      const stored = [
        ...natural.filter(({ state, contentPath }) => state === "stored" && contentPath === null),
        ...(await displacedAt(db, id, attempt, paths)),
      ];
      const known = new Set((await this.#sort(stored)).own.map(placeOfObject));
      // The paths were found while this attempt was active. Once it is over, its objects are deleted from the database.
      if ((await stillActive(db, id, attempt))?.fence !== fence) throw new Problem("wrong_state");
      await area.remove(paths.filter((path) => !known.has(path)));
    }
  }
}

function broken(what: string): Problem {
  return new Problem("verification_failed", `The staged files do not match the submission: ${what}`);
}
