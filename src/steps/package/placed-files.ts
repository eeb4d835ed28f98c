import type { PackageArea } from "../../archive/store.ts";
import { contentOf } from "../../archive/versions.ts";
import { displacedAt } from "../../db/chunks/chunks.ts";
import { editObjects } from "../../db/chunks/edit.ts";
import { contentPathOf, type ObjectRecord, placeOfObject, recordedPath } from "../../db/chunks/objects.ts";
import { objectsOfKeys } from "../../db/chunks/unordered-keys.ts";
import { lockSubmission, stillActive } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import { plain } from "../../source/transport/errors.ts";
import type { AttemptRef, StepContext } from "../context.ts";
import type { EarlierVersions } from "./earlier-versions.ts";

/** In whose hands the package is, and what it is made of. */
interface Making {
  area: PackageArea;
  fence: number;
  version: number;
  earlier: EarlierVersions | undefined;
}

/**
 * Holds the placed files against the stored objects, both ways: every object has its file, of its size, in this version
 * or in an earlier one; files that belong to no stored object (left by a crash, an earlier attempt, or an object excluded
 * afterwards), or whose bytes an earlier version has, are removed.
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
   * Looks at the files of some objects.
   * @returns the content paths of those that are stored, relative to the object’s folder, by their places in the listing
   * @throws Problem `verification_failed` when one has another size, or is no longer in the version that should hold it
   */
  async match(objects: readonly ObjectRecord[]): Promise<Map<number, string>> {
    const { own, paths } = await this.#sort(objects.filter(({ state }) => state === "stored"));
    await this.#noteEarlier(objects, paths);
    const sizes = await this.#making.area.sizes(own.map(placeOfObject));
    for (const [index, object] of own.entries()) {
      const bytes = sizes[index];
      if (bytes === undefined) this.#missing++;
      else if (bytes !== object.bytes) {
        throw broken(`“${placeOfObject(object)}” has ${bytes} bytes instead of ${object.bytes}`);
      }
      paths.set(object.seq, `${contentOf(this.#making.version)}/${placeOfObject(object)}`);
    }
    this.#own += own.length;
    return paths;
  }

  /**
   * To be called when all objects were looked at.
   * @throws Problem `verification_failed` when some have no file
   */
  async finish(): Promise<void> {
    if (this.#missing > 0) throw broken(`${this.#missing} of the stored files are missing`);
    // No two objects share a place: when there are as many files as objects, no file is anybody else’s.
    if ((await this.#making.area.count()) !== this.#own) await this.#removeUnknown();
  }

  /** Tells objects whose bytes an earlier version holds, and where, from those whose bytes are this one’s own. */
  async #sort(stored: readonly ObjectRecord[]): Promise<{ own: ObjectRecord[]; paths: Map<number, string> }> {
    const { earlier } = this.#making;
    const paths = new Map<number, string>();
    if (earlier === undefined) return { own: [...stored], paths };
    const found = stored.flatMap((object) => {
      const path = object.sha512 === null ? undefined : earlier.content.find(object.sha512);
      if (path === undefined) return [];
      // What was kept lies where it lay; equal bytes may lie elsewhere, too.
      return [{ object, path: object.verifiedIn === null ? path : contentPathOf(object, this.#making.version) }];
    });
    const sizes = await earlier.sizes(found.map(({ path }) => path));
    // What is damaged there is no reason to do without bytes that are here.
    for (const [index, { object, path }] of found.entries()) {
      if (sizes[index] === object.bytes) paths.set(object.seq, path);
    }
    const own = stored.filter(({ seq }) => !paths.has(seq));
    const lost = own.find(({ verifiedIn }) => verifiedIn !== null);
    if (lost === undefined) return { own, paths };
    throw new Problem(
      "verification_failed",
      `The archive no longer holds “${plain(lost.key)}” as version ${lost.verifiedIn} had it; with “refetch” it is read again`,
    );
  }

  /** Notes with objects whose bytes an earlier version has where these lie: whoever is asked for them looks there. */
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
      // What is known was asked while this attempt was at work: once it is not, its objects are forgotten.
      if ((await stillActive(db, id, attempt))?.fence !== fence) throw new Problem("wrong_state");
      await area.remove(paths.filter((path) => !known.has(path)));
    }
  }
}

function broken(what: string): Problem {
  return new Problem("verification_failed", `The staged content is damaged: ${what}`);
}
