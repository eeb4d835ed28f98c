import { describe, expect, test } from "vitest";
import { unmarked } from "../../describe/markup.ts";
import { NOTHING } from "./html.ts";
import { textBlock } from "./markup.ts";

const block = (text: string) => textBlock(text, NOTHING, "More").text.replace(/^<div>|<\/div>$/g, "");

describe("a description with markup", () => {
  test.each([
    ["H<sub>2</sub>O &amp; <i class='x'>Zea mays</i>", "H<sub>2</sub>O &amp; <i>Zea mays</i>"],
    ["<p>One</p><p>Two<br/>lines</p>", "<p>One</p><p>Two<br>lines</p>"],
    [
      '<a href="https://example.org/?a=1&amp;b=2" onclick="x()">there</a>',
      '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow">there</a>',
    ],
    ["<H2 style='x'>Heading</H2>", "<p><strong>Heading</strong></p>"],
    ["<b>open <i>twice</b> and after", "<b>open <i>twice</i></b> and after"],
    ["<i>a</i></b> never closed <em>b", "<i>a</i> never closed <em>b</em>"],
    ["<i>x</i> n<m, a < b and <unknown>", "<i>x</i> n&lt;m, a &lt; b and &lt;unknown&gt;"],
  ])("%s", (text, expected) => {
    expect(block(text)).toBe(expected);
  });

  test.each([
    "<script>alert(1)</script><b>x</b>",
    "<b>x</b><img src=x onerror=alert(1)>",
    '<i>x</i><a href="javascript:alert(1)">y</a>',
    '<i>x</i><a href="https://a.org/&quot; onmouseover=&quot;alert(1)">y</a>',
    '<b onclick="alert(1)">x</b>',
    "<b>&lt;script&gt;alert(1)&lt;/script&gt;</b>",
    "<svg/onload=alert(1)><b>x</b>",
    "<b><<i>script>alert(1)</i></b>",
    "<p>&#60;img src=x onerror=alert(1)&#62;</p>",
  ])("contains nothing that runs: %s", (text) => {
    const tags = block(text).match(/<[^>]*>/g) ?? [];
    for (const tag of tags)
      expect(tag).toMatch(/^<(?:\/?(?:b|i|p|a)|a href="https:\/\/a\.org\/[^"]*" rel="nofollow")>$/);
  });
});

test("a text without markup stays as it is, and keeps its lines", () => {
  const text = 'A <b> without an end,\n1 < 2 & "3" &amp; <http://example.org>';
  expect(textBlock(text, NOTHING, "More").text).toBe(
    '<div class="lines">A &lt;b&gt; without an end,\n1 &lt; 2 &amp; &quot;3&quot; &amp;amp; &lt;http://example.org&gt;</div>',
  );
  expect(unmarked(text)).toBe(text);
});

test("a description can be shown without its markup", () => {
  expect(unmarked("<p>One &amp; two</p><p>H<sub>2</sub>O</p>")).toBe("One & two\n\nH2O");
});

test("long hostile descriptions are written, and not nested deeply", () => {
  for (const part of ["<b>", "<b ", "<a href=", "&#", "</i>", "<i></b>"]) {
    const { text } = textBlock(`${part.repeat(100_000)}<br>`, NOTHING, "More");
    expect(text.match(/<\/?[a-z][^>]*>/g)?.length, part).toBeLessThan(1_000);
  }
  // With the square of its length, this would take half an hour.
  expect(unmarked(`<b${" ".repeat(500_000)}x`)).toHaveLength(500_003);
});

test("a character that no text can contain stays a reference", () => {
  expect(unmarked("<br>a&#0;b&#x1F;c&#xD800;d&#133;e&#9;f&#x41;")).toBe("a&#0;b&#x1F;c&#xD800;d&#133;e\tfA");
});
