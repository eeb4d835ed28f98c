import { hash } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { MOST_READ } from "../../publication/rules/grants.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { AccessGrantUseTable } from "../tables/access-tables.ts";

export type GrantUseRow = Omit<Selectable<AccessGrantUseTable>, "key">;

const KEY_BYTES = 16;
/** Rows of one statement. */
const WRITTEN = 250;
/** How long after the last use it is kept what was read. The number of uses is kept as long as the grant. */
const KEPT_MS = 365 * 86_400_000;

/** What can be read with a grant. */
export type Readable = Pick<GrantUseRow, "grant_id" | "version" | "kind" | "path">;

/** Identifies what was read with a grant. */
export function keyOfUse({ version, kind, path }: Readable): Buffer {
  return hash("sha256", `${version} ${kind} ${path}`, "buffer").subarray(0, KEY_BYTES);
}

/** The row that counts the files of a version that are not recorded one by one. */
export function otherOf(use: Readable): Readable {
  return { grant_id: use.grant_id, version: use.version, kind: "other", path: "" };
}

/**
 * Adds uses to the counts of a grant, in one transaction. Does nothing if the grant no longer exists.
 *
 * @param uses of this grant, each of something else
 */
export async function recordGrantUses(db: Queries, grant: string, uses: readonly GrantUseRow[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The lock orders records, so that processes do not exceed the limit together.
    const locked = trx.selectFrom("access_grant").select("id").where("id", "=", grant).forUpdate();
    if ((await locked.executeTakeFirst()) === undefined) return;
    const rows = await withinLimit(trx, grant, uses);
    for (let done = 0; done < rows.length; done += WRITTEN) {
      await trx
        .insertInto("access_grant_use")
        .values(rows.slice(done, done + WRITTEN))
        .onConflict((conflict) =>
          conflict.columns(["grant_id", "key"]).doUpdateSet({
            uses: sql`access_grant_use.uses + excluded.uses`,
            first_at: sql`least(access_grant_use.first_at, excluded.first_at)`,
            last_at: sql`greatest(access_grant_use.last_at, excluded.last_at)`,
          }),
        )
        .execute();
    }
    const first = new Date(Math.min(...uses.map(({ first_at }) => first_at.getTime())));
    const last = new Date(Math.max(...uses.map(({ last_at }) => last_at.getTime())));
    await trx
      .updateTable("access_grant")
      .set((eb) => ({
        uses: eb(
          "uses",
          "+",
          uses.reduce((sum, one) => sum + one.uses, 0),
        ),
        first_used_at: sql`least(first_used_at, cast(${first} as timestamptz))`,
        used_at: sql`greatest(used_at, cast(${last} as timestamptz))`,
      }))
      .where("id", "=", grant)
      .execute();
  });
}

/** The rows to add. What exceeds the limit of a grant is counted together. */
async function withinLimit(
  trx: Trx,
  grant: string,
  uses: readonly GrantUseRow[],
): Promise<Selectable<AccessGrantUseTable>[]> {
  const known = await trx.selectFrom("access_grant_use").select("key").where("grant_id", "=", grant).execute();
  const all = new Set(known.map(({ key }) => Buffer.from(key).toString("hex")));
  const rows = new Map<string, Selectable<AccessGrantUseTable>>();
  for (const use of uses) {
    const isKept = use.kind === "view" || all.has(keyOfUse(use).toString("hex")) || all.size < MOST_READ;
    const row = isKept ? use : { ...use, ...otherOf(use) };
    const key = keyOfUse(row);
    const id = key.toString("hex");
    const earlier = rows.get(id);
    all.add(id);
    rows.set(id, { ...(earlier === undefined ? row : sumOf(earlier, row)), key });
  }
  return [...rows.values()];
}

/** Uses of the same, counted together. */
export function sumOf<U extends GrantUseRow>(one: U, more: GrantUseRow): U {
  return {
    ...one,
    uses: one.uses + more.uses,
    first_at: more.first_at < one.first_at ? more.first_at : one.first_at,
    last_at: more.last_at > one.last_at ? more.last_at : one.last_at,
  };
}

/** What was read with a grant, last used first. */
export async function usesOfGrant(db: Queries, grant: string): Promise<GrantUseRow[]> {
  return db
    .selectFrom("access_grant_use")
    .select(["grant_id", "version", "kind", "path", "uses", "first_at", "last_at"])
    .where("grant_id", "=", grant)
    .orderBy("last_at", "desc")
    .orderBy("key")
    .execute();
}

/** Deletes what was read long ago. */
export async function forgetGrantUses(db: Queries): Promise<void> {
  await db
    .deleteFrom("access_grant_use")
    .where("last_at", "<", new Date(Date.now() - KEPT_MS))
    .execute();
}
