import type { PackageArea } from "../../archive/store.ts";
import { displacedAt } from "../../db/chunks.ts";
import { objectsOfKeys } from "../../db/keys.ts";
import { type ObjectRecord, placeOfObject } from "../../db/objects.ts";
import { stillActive } from "../../db/submissions.ts";
import { Problem } from "../../submission/problems.ts";
import type { StepContext, Work } from "../context.ts";

/**
 * Holds the placed files against the stored objects, both ways: every object has its file, of its size; files that
 * belong to no stored object (left by a crash, an earlier attempt, or an object excluded afterwards) are removed.
 */
export class PlacedFiles {
  readonly #context: StepContext;
  readonly #work: Work;
  readonly #area: PackageArea;
  readonly #fence: number;
  #found = 0;

  constructor(context: StepContext, work: Work, { area, fence }: { area: PackageArea; fence: number }) {
    this.#context = context;
    this.#work = work;
    this.#area = area;
    this.#fence = fence;
  }

  /**
   * Looks at the files of some objects.
   * @throws Problem `verification_failed` when one has another size
   */
  async match(objects: readonly ObjectRecord[]): Promise<void> {
    const stored = objects.filter(({ state }) => state === "stored");
    const sizes = await this.#area.sizes(stored.map(placeOfObject));
    for (const [index, object] of stored.entries()) {
      const bytes = sizes[index];
      if (bytes === undefined) continue;
      if (bytes !== object.bytes) {
        throw broken(`“${placeOfObject(object)}” has ${bytes} bytes instead of ${object.bytes}`);
      }
      this.#found++;
    }
  }

  /**
   * To be called when all objects were looked at; `stored` is how many are.
   * @throws Problem `verification_failed` when some have no file
   */
  async finish(stored: number): Promise<void> {
    if (this.#found !== stored) throw broken(`${stored - this.#found} of the stored files are missing`);
    // No two objects share a place: when there are as many files as objects, no file is anybody else's.
    if ((await this.#area.count()) === stored) return;
    await removeUnknown(this.#context, { ...this.#work, fence: this.#fence }, this.#area);
  }
}

async function removeUnknown(
  { db }: StepContext,
  { id, attempt, fence }: Work & { fence: number },
  area: PackageArea,
): Promise<void> {
  for await (const paths of area.placed()) {
    const keys = paths.filter((path) => path.startsWith("data/")).map((path) => path.slice("data/".length));
    const natural = await objectsOfKeys(db, id, attempt, keys);
    const known = new Set([
      ...natural.filter(({ state, contentPath }) => state === "stored" && contentPath === null).map(placeOfObject),
      ...(await displacedAt(db, id, attempt, paths)).map(placeOfObject),
    ]);
    // What is known was asked while this attempt was at work: once it is not, its objects are forgotten.
    if ((await stillActive(db, id, attempt))?.fence !== fence) throw new Problem("wrong_state");
    await area.remove(paths.filter((path) => !known.has(path)));
  }
}

function broken(what: string): Problem {
  return new Problem("verification_failed", `The staged content is damaged: ${what}`);
}
