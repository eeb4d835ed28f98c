import fc from "fast-check";
import { expect, test } from "vitest";
import { compareMetadata } from "./compare-metadata.ts";

const author = (lastName: string, orcid = "") => ({ role: "Creator", lastName, orcid });

test("names added, removed and changed members", () => {
  const before = { title: "Barley", language: "en", subjects: ["roots", "soil"] };
  const after = { title: "Barley roots", subjects: ["soil", "leaves"], versionLabel: "2" };
  expect(compareMetadata(before, after)).toEqual([
    { member: "title", differences: [{ before: "Barley", after: "Barley roots" }], isReordered: false },
    { member: "subjects", differences: [{ before: "roots" }, { after: "leaves" }], isReordered: false },
    { member: "language", differences: [{ before: "en" }], isReordered: false },
    { member: "versionLabel", differences: [{ after: "2" }], isReordered: false },
  ]);
});

test("an entry that shares a value with an earlier one is a change of it, and not two entries", () => {
  const before = { authors: [author("Carberry"), author("Garcia", "0000-0001-5727-2427")] };
  const after = { authors: [author("García", "0000-0001-5727-2427"), author("Carberry")] };
  expect(compareMetadata(before, after)).toEqual([
    {
      member: "authors",
      differences: [{ before: before.authors[1], after: after.authors[0] }],
      isReordered: true,
    },
  ]);
});

test("entries with only a role in common are different entries", () => {
  const [before, after] = [
    { role: "Creator", lastName: "Carberry" },
    { role: "Creator", lastName: "Garcia" },
  ];
  expect(compareMetadata({ authors: [before] }, { authors: [after] })[0]?.differences).toEqual([{ before }, { after }]);
});

test("another order is named as such; another order of members is no difference", () => {
  const [one, other] = [{ title: "A", language: "en" }, { title: "B" }];
  expect(compareMetadata({ titles: [one, other] }, { titles: [other, { language: "en", title: "A" }] })).toEqual([
    { member: "titles", differences: [], isReordered: true },
  ]);
  expect(compareMetadata({ titles: [one] }, { titles: [{ language: "en", title: "A" }] })).toEqual([]);
});

test("nothing is lost: the differences lead from any list to any other", () => {
  const entry = fc.record({ name: fc.constantFrom("a", "b", "c"), role: fc.constantFrom("x", "y") });
  fc.assert(
    fc.property(fc.array(entry), fc.array(entry), (before, after) => {
      const [change] = compareMetadata({ list: before }, { list: after });
      const texts = (values: unknown[]) => values.map((value) => JSON.stringify(value)).sort();
      const gone = change?.differences.flatMap((one) => ("before" in one ? [JSON.stringify(one.before)] : [])) ?? [];
      const come = change?.differences.flatMap((one) => ("after" in one ? [one.after] : [])) ?? [];
      const rest = texts(before);
      for (const text of gone) rest.splice(rest.indexOf(text), 1);
      expect([...rest, ...texts(come)].sort()).toEqual(texts(after));
    }),
  );
});

test("the way back has as many differences if several entries are equally similar", () => {
  const entry = (name: string, id: string) => ({ name, id });
  const same = entry("a", "1");
  const before = [same, entry("a", "2"), same, same, same, entry("c", "2")];
  const after = [same, same, same, same, entry("b", "2"), entry("b", "1"), entry("c", "1")];
  const count = (one: object[], other: object[]) =>
    compareMetadata({ list: one }, { list: other })[0]?.differences.length;
  expect(count(after, before)).toBe(count(before, after));
});

test("a list without changes has no differences, and the way back has the opposite ones", () => {
  const entry = fc.record({ name: fc.constantFrom("a", "b", "c"), id: fc.constantFrom("1", "2") });
  fc.assert(
    fc.property(fc.array(entry), fc.array(entry), (before, after) => {
      expect(compareMetadata({ list: before }, { list: before })).toEqual([]);
      const [forth] = compareMetadata({ list: before }, { list: after });
      const [back] = compareMetadata({ list: after }, { list: before });
      const kinds = (change: typeof forth, ...names: string[]) =>
        (change?.differences ?? []).map((one) => names.filter((name) => name in one).join()).sort();
      expect(kinds(back, "after", "before")).toHaveLength(kinds(forth, "before", "after").length);
    }),
  );
});

test("long lists are compared quickly, also if all entries share a value", () => {
  const people = Array.from({ length: 10_000 }, (_, index) => ({ lastName: `Name ${index}`, affiliation: "Brown" }));
  const changed = people.map((one, index) => (index % 2 === 0 ? { ...one, role: "Creator" } : one)).reverse();
  // In processor time: elapsed time also depends on other programs.
  const start = process.threadCpuUsage();
  const [change] = compareMetadata({ authors: people }, { authors: changed });
  expect(change).toMatchObject({ isReordered: true, differences: { length: 5_000 } });
  expect(change?.differences[0]).toEqual({ before: people[0], after: changed.at(-1) });
  expect(process.threadCpuUsage(start).user).toBeLessThan(5e6);
});

test("each group of the operator’s fields is a change of its own", () => {
  const before = { fields: { plants: { organism: "a" }, site: { name: "b" } } };
  const after = { fields: { plants: { organism: "c" }, site: { name: "b" }, soil: { ph: 7 } } };
  expect(compareMetadata(before, after)).toEqual([
    {
      member: "fields/plants",
      differences: [{ before: { organism: "a" }, after: { organism: "c" } }],
      isReordered: false,
    },
    { member: "fields/soil", differences: [{ after: { ph: 7 } }], isReordered: false },
  ]);
  expect(compareMetadata(before, {}).map(({ member }) => member)).toEqual(["fields/plants", "fields/site"]);
});
