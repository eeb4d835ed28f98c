import { expect, test } from "vitest";
import { readFunders } from "./readFunders.ts";

test.each([
  ["European Commission; 101017502", { funderName: "European Commission", awardNumber: "101017502" }],
  ["European Commission\t101017502\tRoots", { awardNumber: "101017502", awardTitle: "Roots" }],
  [
    "DFG; https://ror.org/018mejw64; 4711",
    { funderName: "DFG", funderIdentifier: "https://ror.org/018mejw64", awardNumber: "4711" },
  ],
  ["EC; 10.13039/501100000780; 1", { funderIdentifier: "10.13039/501100000780", awardNumber: "1" }],
  [
    "EC; 1; https://cordis.europa.eu/project/id/1",
    { awardNumber: "1", awardUri: "https://cordis.europa.eu/project/id/1" },
  ],
  ["Volkswagen Foundation", { funderName: "Volkswagen Foundation", awardNumber: "" }],
])("a grant is read from %j", (line, known) => {
  const { entries, left } = readFunders(line);
  expect(entries).toEqual([expect.objectContaining(known)]);
  expect(left).toEqual([]);
});

test("each line is a grant, and lines without a funder are reported", () => {
  const { entries, left } = readFunders("A; 1\n\nB; 2\nhttps://example.org/grant");
  expect(entries.map(({ funderName }) => funderName)).toEqual(["A", "B"]);
  expect(left).toEqual(["https://example.org/grant"]);
});
