import { expect, test } from "vitest";
import { readMetadataFile } from "../read-metadata-file.ts";

const read = (text: string) => readMetadataFile("readme", Buffer.from(text)).values;
const paragraph = "Photographs of cracks in pots.";

test.each([
  ["plain text", paragraph, undefined],
  ["Markdown", `# Pots #\n\n${paragraph}\n\nMore text about the pots.`, "Pots"],
  ["an underlined heading", `Pots\n====\n\nPhotographs of cracks\nin pots.\n`, "Pots"],
  ["reStructuredText", `====\nPots\n====\n\n.. image:: pot.png\n   :width: 10\n\n:Author: J\n\n${paragraph}`, "Pots"],
  [
    "HTML",
    `<h1 align="center"><b>Pots</b> &amp; pans</h1>\n<p align="center">\n<img src="x">\n</p>\n\n${paragraph}`,
    "Pots & pans",
  ],
  ["a header in YAML", `---\nlicense: mit\n---\n# Pots\n\n${paragraph}`, "Pots"],
  ["badges", `# [![DOI](https://x/y.svg)](https://z) Pots\n\n[![a](b)](c) ![d][e]\n\n${paragraph}`, "Pots"],
  ["comments", `<!-- # Not this\n\nNot this text, either. -->\n# Pots\n\n${paragraph}`, "Pots"],
  [
    "code and lists first",
    `# Pots\n\n\`\`\`sh\ncd not this text either\n\`\`\`\n\n- not this item either\n\n    not this code either\n\n${paragraph}`,
    "Pots",
  ],
  ["Windows line ends", `\ufeff# Pots\r\n\r\nPhotographs of cracks\r\nin pots.\r\n`, "Pots"],
  ["markup in the paragraph", `Photographs of **cracks** in [*pots*](https://x).<!-- ! -->`, undefined],
  [
    "markup of reStructuredText",
    "Photographs of :ref:`cracks <c>` in `pots <https://x>`_.".replace(" <c>", ""),
    undefined,
  ],
  ["a general heading", `# README\n\n${paragraph}`, undefined],
  ["a heading below the text", `${paragraph}\n\n## Methods`, undefined],
  ["a short first line", `# Pots\n\nVersion 1.0\n\n${paragraph}`, "Pots"],
])("title and description from %s", (_, text, title) => {
  expect(read(text)).toEqual({ ...(title !== undefined && { title }), description: paragraph });
});

test("names in code keep their underscores", () => {
  expect(read("The files pot_a_1.csv and `pot_b_2.csv` have __init__ data, 2 * 3 * 4.").description).toBe(
    "The files pot_a_1.csv and pot_b_2.csv have init data, 2 * 3 * 4.",
  );
});

test("a long paragraph is cut to 5,000 characters at a word", () => {
  const { description = "" } = read("crack ".repeat(10_000));
  expect(description.length).toBeLessThanOrEqual(5_000);
  expect(description).toMatch(/^(?:crack )+crack…$/);
  expect(read("😀".repeat(3_000).replace(/^.{8}/u, "a b c d ")).description?.isWellFormed()).toBe(true);
});
