import { expect, test } from "vitest";
import { markdownHtml } from "./markdown.ts";

const targets = {
  link: (href: string) => (href.startsWith("https://example.org/") ? href : undefined),
  image: (href: string) => (href === "leaf.png" ? "https://example.org/leaf.png" : undefined),
  rel: "nofollow" as const,
  below: 2,
};
const html = (text: string) => markdownHtml(text, targets)?.text;

/** All elements that a text can become. */
const ELEMENT =
  /^<(?:\/?(?:p|em|strong|s|ul|ol|li|blockquote|code|thead|tbody|tr|th|td|h[3-6])|br|hr|\/a|\/pre|\/table|table|\/div|t[hd] class="(?:center|right)"|ol start="\d+"|pre class="scroll" tabindex="0"|div class="scroll" tabindex="0"|a href="https:\/\/example\.org\/[^"<>]*" rel="nofollow"|img src="https:\/\/example\.org\/leaf\.png" alt="[^"<>]*" loading="lazy")>$/;

test("a text becomes the elements of its markup", () => {
  expect(html("# A\n\n*b* **c** ~~d~~ `e<` https://example.org/f")).toBe(
    '<h3>A</h3>\n<p><em>b</em> <strong>c</strong> <s>d</s> <code>e&lt;</code> <a href="https://example.org/f" rel="nofollow">https://example.org/f</a></p>\n',
  );
  const table = html("| a | b | c |\n| :- | :-: | -: |\n| 1 | 2 | 3 |");
  expect(table).toContain('<div class="scroll" tabindex="0"><table>');
  expect(table).toContain('<td>1</td>\n<td class="center">2</td>\n<td class="right">3</td>');
  expect(html("- [ ] to do\n- [x] **done**\n- [X] done\n- [y] text\n- a [x] b")).toBe(
    "<ul>\n<li>☐ to do</li>\n<li>☑ <strong>done</strong></li>\n<li>☑ done</li>\n<li>[y] text</li>\n<li>a [x] b</li>\n</ul>\n",
  );
  expect(html("[x] text\n\n- [x](https://example.org/)")).toMatch(/^<p>\[x\] text<.*>x<\/a>/s);
  expect(html("```js\nlet a;\n```")).toBe('<pre class="scroll" tabindex="0"><code>let a;\n</code></pre>\n');
  expect(html('![a *leaf*](leaf.png "title")')).toContain('alt="a leaf" loading="lazy"');
  expect(html('[a](https://example.org/ "title") [b](elsewhere) ![c](none.png) data.csv')).toBe(
    '<p><a href="https://example.org/" rel="nofollow">a</a> b c data.csv</p>\n',
  );
});

const TAGS = ["kbd", "code", "pre", "script", "style", "textarea", "svg", "b", "!--", "?", "![CDATA["];
const ATTACKS = [
  '<script/src="/x.js"></script/>',
  "<img src=x onerror=alert(1)>",
  '<form/action="https://example.com/">',
  "<link/rel=stylesheet href=/x.css>",
];
const PLACES = [
  (attack: string) => attack,
  (attack: string) => `# ${attack}`,
  (attack: string) => `[${attack}](https://example.org/)`,
  (attack: string) => `![${attack}](leaf.png)`,
  (attack: string) => `~~${attack}~~ *${attack}*`,
  (attack: string) => `- > ${attack}`,
  (attack: string) => `| ${attack} |\n| - |\n| ${attack} |`,
  (attack: string) => `[a]: https://example.org/ "${attack}"\n\n[a] [a][]`,
  (attack: string) => `[a](https://example.org/"${attack}) <https://example.org/"${attack}>`,
  (attack: string) => `\`\`\`${attack}\n${attack}\n\`\`\``,
];

test("nothing that a text contains becomes another element, or an attribute of one", () => {
  for (const tag of TAGS)
    for (const attack of ATTACKS)
      for (const place of PLACES) {
        const text = place(`Hello <${tag}> ${attack} &lt;b&gt; &#60;i&#62; </${tag}/>`);
        for (const element of html(text)?.match(/<[^>]*>?/g) ?? []) expect(element, text).toMatch(ELEMENT);
      }
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "java\nscript:alert(1)",
  "//example.org/",
  "&#106;avascript:x",
])("%j is no address of a link or an image", (address) => {
  expect(html(`[a](<${address}>) ![b](<${address}>) <${address}>`)).not.toMatch(/<(?:a|img)\b/);
});

test("characters that change the direction are left out, also those of references", () => {
  expect(html("a\u202eb &#x202e;c `\u2066d` ![\u202ee](leaf.png)")).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
});

test("a text with more levels than people write has no HTML, so that nothing of it is left out", () => {
  expect(html(`${"> ".repeat(1_000)}deep`)).toBeUndefined();
  expect(html(`${"> ".repeat(30)}deep`)).toContain("deep");
});

test("a table with many columns and short rows stays small", () => {
  const text = `|${"a|".repeat(900)}\n|${"-|".repeat(900)}\n${"|\n".repeat(30_000)}`;
  expect(html(text)?.length).toBeLessThan(5_000_000);
});
