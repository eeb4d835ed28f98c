import { expect, test } from "vitest";
import { surveyArchive } from "./survey.ts";

test("a withdrawal without its tombstone is told apart from a complete one", async () => {
  const [done, begun] = ["0b0fbc4e-4e49-4a3b-9d4f-5b1c1b6f3a52", "6fd0cf0d-9a0c-4a3c-8f1e-9f6f4b3f7f10"];
  const paths = [
    `withdrawn/${done}/logs/v1/receipt.jws`,
    `withdrawn/${done}/tombstone.json`,
    `withdrawn/${begun}/logs/v1/receipt.jws`,
  ];
  async function* names(below: string) {
    for (const path of paths) if (path.startsWith(`${below}/`)) yield path;
  }
  expect(await surveyArchive({ names } as never)).toMatchObject({ withdrawn: [done], withoutTombstone: [begun] });
});
