import type { EntryKey } from "../../db/catalogue/entries.ts";
import { type PublishedVersion, publishedVersions } from "../../db/catalogue/published-versions.ts";
import { mediaTypesOf } from "../../db/chunks/files.ts";
import { publicDois } from "../../db/publication/dois.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import type { HttpContext } from "../context.ts";
import { exportInputFrom } from "../dataset/export-input.ts";

/** Versions whose media types are remembered; about 200 bytes each. */
const REMEMBERED = 20_000;

/** Describes many published versions for the public, with few queries. */
export class PublishedDescriptions {
  readonly #context: HttpContext;
  /** Media types by submission. The files of a version never change. */
  readonly #mediaTypes = new Map<string, string[]>();

  constructor(context: HttpContext) {
    this.#context = context;
  }

  /**
   * Describes those of the versions that are published now, by {@link keyOfVersion}.
   * @param needs whether the media types of files are needed
   */
  async of(keys: readonly EntryKey[], needs: { mediaTypes: boolean }): Promise<Map<string, ExportInput>> {
    const { db } = this.#context;
    const rows = await publishedVersions(db, keys);
    const dois = Map.groupBy(
      await publicDois(db, [...new Set(rows.map(({ dataset_id }) => dataset_id))]),
      (row) => row.dataset_id,
    );
    const described = new Map<string, ExportInput>();
    for (const row of rows) {
      const { facts, ...rest } = exportInputFrom(this.#context, {
        datasetId: row.dataset_id,
        number: row.version,
        archivedAt: row.archived_at,
        ...{
          objects: row.objects,
          bytes: row.bytes,
          latest: Math.max(row.latest, row.version),
          versions: row.versions,
        },
        revision: row.revision ?? undefined,
        submission: { ...row, id: row.submission_id },
        metadata: row.metadata,
        publication: { ...row, state: "published", announced_at: null },
        dois: dois.get(row.dataset_id) ?? [],
      });
      const mediaTypes = needs.mediaTypes ? await this.#mediaTypesOf(row) : [];
      described.set(keyOfVersion(row), { ...rest, facts: { ...facts, mediaTypes } });
    }
    return described;
  }

  async #mediaTypesOf({ submission_id: id, attempt }: PublishedVersion): Promise<string[]> {
    const known = this.#mediaTypes.get(id);
    if (known !== undefined) return known;
    const read = await mediaTypesOf(this.#context.db, { id, attempt });
    const [oldest] = this.#mediaTypes.keys();
    if (this.#mediaTypes.size >= REMEMBERED && oldest !== undefined) this.#mediaTypes.delete(oldest);
    this.#mediaTypes.set(id, read);
    return read;
  }
}

/** Identifies a version among others. */
export function keyOfVersion({ dataset_id, version }: EntryKey): string {
  return `${dataset_id}/${version}`;
}
