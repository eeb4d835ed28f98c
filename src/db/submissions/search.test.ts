import { expect, test } from "vitest";
import { addSubmission, db, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { searchSubmissions } from "./search.ts";

useTestDatabase();

test("the search compares only titles and words of the owner's submissions", async () => {
  const ada = await addSubmission(db, { owner: "ada", title: "Soil moisture" });
  const bob = await addSubmission(db, { owner: "bob", title: "Soil moisture" });
  const found = async (q: string, owner: string | undefined) => {
    const { rows } = await searchSubmissions(q, owner).execute(db);
    return [...new Set(rows.map((row) => (row as unknown as { submission_id: string }).submission_id))].sort();
  };
  for (const q of ["il moi", "moist", " "]) {
    expect(await found(q, "ada")).toEqual([ada]);
    expect(await found(q, undefined)).toEqual([ada, bob].sort());
  }
});
