import { expect, test } from "vitest";
import { Bag } from "./bag.ts";

test("a bag has the members that were added and not removed, in any order of operations", () => {
  const bag = new Bag<{ place: number; name: number }>();
  const expected = new Set<{ place: number; name: number }>();
  for (let step = 0, state = 7; step < 5_000; step++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const known = [...expected];
    const chosen = known[(state >>> 8) % Math.max(1, known.length)];
    if (chosen === undefined || (state >>> 4) % 5 < 3) {
      const member = { place: -1, name: step };
      bag.add(member);
      expected.add(member);
    } else {
      bag.remove(chosen);
      bag.remove(chosen);
      expected.delete(chosen);
      expect(chosen.place).toBe(-1);
    }
    expect(bag.list()).toHaveLength(expected.size);
  }
  expect(new Set(bag.list())).toEqual(expected);
});
