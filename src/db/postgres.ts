import pg from "pg";
import type { Pool } from "./pool.ts";

/** int8 columns count objects and bytes, which stay below 2^53; the embedded database gives numbers too. */
const INT8 = 20;

/** Opens a pool on a PostgreSQL server (15 or newer). Connections are made when they are needed. */
export function openPostgres(url: string, connections: number): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    options: "-c TimeZone=UTC",
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text"),
    } as pg.CustomTypesConfig,
  });
  // An idle connection that breaks is replaced at the next use, and a query on it has already been rejected.
  pool.on("error", () => undefined);
  const shared: Pool = {
    async connect() {
      const client = await pool.connect();
      return {
        async query(sql, parameters) {
          const result: pg.QueryResult | pg.QueryResult[] = await client.query(
            sql,
            parameters === undefined ? undefined : [...parameters],
          );
          if (!Array.isArray(result)) return result;
          const last = result.at(-1);
          return {
            rows: result.flatMap((one) => one.rows),
            rowCount: last?.rowCount ?? null,
            command: last?.command ?? "",
          };
        },
        release: () => client.release(),
      };
    },
    urgent: () => ({ ...shared, end: async () => undefined }),
    end: () => pool.end(),
  };
  return shared;
}
