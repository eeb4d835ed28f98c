import { createHash } from "node:crypto";
import { Canary } from "../../support/identity/canary.ts";
import type { Access, PublicationPlan } from "./plan.ts";

/**
 * What the public may see of a version. `changing`: an action was sent whose result is not known yet, so that both the old and
 * the new answer are right.
 */
export type Visibility = "hidden" | "changing" | "public" | "withdrawn";

/** A version with words that occur nowhere else, so that a response with one of them shows this version. */
export class TestedVersion {
  readonly number: number;
  /** The objects of the bucket. */
  readonly files: Record<string, string>;
  readonly titles: Canary;
  readonly fileWords: Canary;
  /** Access to the files, as far as its changes are known. */
  access: Access;
  /** Whether the files are in the bucket. */
  isInBucket = false;
  readonly #titleWord: string;
  readonly #fileWord: string;
  #title: string;
  #visibility: Visibility = "hidden";
  #changes = 0;

  constructor({ number: run, access }: PublicationPlan, number: number) {
    this.number = number;
    this.access = access;
    // Ends with a letter, so that no word is the beginning of another one.
    const tag = `${run}v${number}z`;
    this.#titleWord = `zeisigtitel${tag}`;
    this.#title = `Plots of ${this.#titleWord}`;
    this.#fileWord = `finkenblatt${tag}`;
    const table = `${this.#fileWord}.csv`;
    this.files = { "README.md": `# Plots of drosselheft${tag}`, [table]: `1;ammernote${tag}` };
    const digests = Object.values(this.files).map((content) => createHash("sha512").update(content).digest("hex"));
    this.titles = new Canary([this.#titleWord]);
    this.fileWords = new Canary([this.#fileWord, `drosselheft${tag}`, `ammernote${tag}`, ...digests]);
  }

  /** Beginnings of words, because pages repeat the text of a search. */
  get searches(): string[] {
    return [this.#titleWord, this.#fileWord].map((word) => word.slice(0, -1));
  }

  /** The present title. */
  get title(): string {
    return this.#title;
  }

  /** Another title, with the same word. */
  retitle(): void {
    this.#title = `New title of ${this.#titleWord}`;
  }

  get visibility(): Visibility {
    return this.#visibility;
  }

  set visibility(visibility: Visibility) {
    if (visibility === this.#visibility) return;
    this.#visibility = visibility;
    this.#changes += 1;
  }

  /** Number of changes of the visibility so far. */
  get changes(): number {
    return this.#changes;
  }
}

/** A dataset with its plan, and how far the plan is carried out. */
export class TestedDataset {
  readonly plan: PublicationPlan;
  readonly versions: TestedVersion[];
  /** Empty before it is archived. */
  id = "";
  /** Number of completed steps. */
  completed = 0;

  constructor(plan: PublicationPlan) {
    this.plan = plan;
    const numbers = plan.secondVersion === undefined ? [1] : [1, 2];
    this.versions = numbers.map((number) => new TestedVersion(plan, number));
  }

  version(number: 1 | 2): TestedVersion {
    const found = this.versions[number - 1];
    if (found === undefined) throw new Error(`The plan has no version ${number}`);
    return found;
  }
}
