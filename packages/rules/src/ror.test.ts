import { expect, test } from "vitest";
import { canonicalRor } from "./ror.ts";

// Of the California Digital Library, Caltech, IPK Gatersleben, Stanford and MIT.
test.each(["03yrm5c26", "05dxps055", "02skbsp27", "00f54p054", "042nb2s44"])(
  "%s is a ROR id in every spelling",
  (id) => {
    for (const text of [
      id,
      id.toUpperCase(),
      `https://ror.org/${id}`,
      `http://www.ror.org/${id}/`,
      ` ror.org/${id} `,
    ]) {
      expect(canonicalRor(text)).toBe(`https://ror.org/${id}`);
    }
  },
);

test.each(["", "03yrm5c27", "03yrm5c2", "13yrm5c26", "03yrm5i26", "https://ror.example/03yrm5c26", "03yrm5c2६"])(
  "%j is not a ROR id",
  (text) => {
    expect(canonicalRor(text)).toBeUndefined();
  },
);

test("a single wrong character is always detected", () => {
  const id = "02skbsp27";
  for (let at = 1; at < 7; at += 1) {
    for (const other of "0123456789abcdefghjkmnpqrstvwxyz") {
      const changed = id.slice(0, at) + other + id.slice(at + 1);
      expect(canonicalRor(changed) !== undefined).toBe(changed === id);
    }
  }
});
