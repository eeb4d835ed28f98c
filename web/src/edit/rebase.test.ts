import fc from "fast-check";
import { expect, test } from "vitest";
import { rebase } from "./rebase.ts";

const author = (lastName: string, more: object = {}) => ({ role: "Creator", lastName, ...more });
const [carberry, curator, garcia] = ["Carberry", "Curator", "Garcia"].map((name) => author(name)) as [
  object,
  object,
  object,
];
const authors = (base: object[], mine: object[], theirs: object[]) => {
  const { metadata, conflicts, origins } = rebase({ authors: base }, { authors: mine }, { authors: theirs });
  return { authors: metadata.authors, conflicts, origins: origins.authors };
};

test("changes are applied to metadata that others have changed, and members that both changed are named", () => {
  const base = { title: "A", language: "en", versionLabel: "1" };
  const mine = { title: "B", language: "en", license: "CC0-1.0" };
  const theirs = { title: "C", language: "de", versionLabel: "1" };
  expect(rebase(base, mine, theirs)).toEqual({
    metadata: { title: "B", language: "de", license: "CC0-1.0" },
    conflicts: ["title"],
    origins: {},
  });
});

test("authors that both users have added are all kept, and one that both have added is kept once", () => {
  expect(authors([carberry], [carberry, curator], [garcia, carberry])).toEqual({
    authors: [garcia, carberry, curator],
    conflicts: [],
    origins: [0, 1, undefined],
  });
  expect(authors([carberry], [carberry, garcia], [carberry, garcia, curator]).authors).toEqual([
    carberry,
    garcia,
    curator,
  ]);
});

test("changes of different members of one author are combined, and of the same member they are a conflict", () => {
  const base = author("Carberry", { orcid: "0000-0002-1825-0097" });
  expect(authors([base], [{ ...base, affiliation: "Brown University" }], [{ ...base, lastName: "Carbery" }])).toEqual({
    authors: [{ ...base, affiliation: "Brown University", lastName: "Carbery" }],
    conflicts: [],
    origins: [0],
  });
  const both = authors([base], [{ ...base, lastName: "Mine" }], [{ ...base, lastName: "Theirs" }]);
  expect(both).toEqual({ authors: [{ ...base, lastName: "Mine" }], conflicts: ["authors"], origins: [0] });
});

test("an author whom the user changed and the other user removed is kept, which is a conflict", () => {
  const changed = { ...carberry, orcid: "0000-0002-1825-0097" };
  expect(authors([carberry, curator], [changed, curator], [curator])).toEqual({
    authors: [changed, curator],
    conflicts: ["authors"],
    origins: [undefined, 0],
  });
});

test("the order of the user who has changed it is kept", () => {
  expect(authors([carberry, curator], [curator, carberry], [carberry, curator, garcia]).authors).toEqual([
    curator,
    garcia,
    carberry,
  ]);
});

const entry = fc.record(
  { name: fc.constantFrom("a", "b", "c", "d"), id: fc.constantFrom("1", "2", "3"), role: fc.constantFrom("x", "y") },
  { requiredKeys: ["name"] },
);
const metadata = fc.record(
  {
    title: fc.constantFrom("A", "B"),
    list: fc.array(entry, { minLength: 1 }),
    subjects: fc.array(fc.string(), { minLength: 1 }),
  },
  { requiredKeys: [] },
);

test("changes applied to the state from which they started give the user’s metadata", () => {
  fc.assert(
    fc.property(metadata, metadata, (base, mine) => {
      expect(rebase(base, mine, base)).toEqual({ metadata: mine, conflicts: [], origins: expect.anything() });
    }),
  );
});

test("no changes applied to newer metadata give the newer metadata", () => {
  fc.assert(
    fc.property(metadata, metadata, (base, theirs) => {
      expect(rebase(base, base, theirs)).toEqual({ metadata: theirs, conflicts: [], origins: expect.anything() });
    }),
  );
});

test("if both users have made the same changes, there is no conflict", () => {
  fc.assert(
    fc.property(metadata, metadata, (base, both) => {
      expect(rebase(base, both, both)).toEqual({ metadata: both, conflicts: [], origins: expect.anything() });
    }),
  );
});

test("no entry that either user added or kept is lost, unless one of them removed or changed it", () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1 });
  fc.assert(
    fc.property(names, names, names, (base, mine, theirs) => {
      const merged = (rebase({ subjects: base }, { subjects: mine }, { subjects: theirs }).metadata.subjects ??
        []) as string[];
      const expected = [...base, ...mine, ...theirs].filter((one) =>
        base.includes(one) ? mine.includes(one) && theirs.includes(one) : true,
      );
      expect([...merged].sort()).toEqual([...new Set(expected)].sort());
    }),
  );
});
