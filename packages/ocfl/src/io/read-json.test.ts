import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../../tests/support/write-object.ts";
import { InvalidJson, readJson } from "./read-json.ts";

async function read(content: string | Uint8Array): Promise<string[]> {
  return withFolder(async (folder) => {
    await writeFile(join(folder, "x.json"), content);
    const seen: string[] = [];
    await readJson(join(folder, "x.json"), {
      open: (path, kind) => void seen.push(`${kind} ${path.join("/")}`),
      value: (path, value, inArray) => void seen.push(`${path.join("/")}${inArray ? "[]" : ""} ${value}`),
    });
    return seen;
  });
}

test("a visitor receives every value and its path", async () => {
  expect(await read('{"a": {"b": ["x", {"c": true}, "y"], "d": null}, "e": "\\u00e9 \\n"} ')).toEqual([
    "object ",
    "object a",
    "array a/b",
    "a/b[] x",
    "object a/b",
    "a/b/c true",
    "a/b[] y",
    "a/d null",
    "e é \n",
  ]);
});

test("text longer than a chunk, and characters that are split between chunks, are kept", async () => {
  const long = "é😀".repeat(50_000);
  expect(await read(JSON.stringify({ [long]: [long] }))).toEqual(["object ", `array ${long}`, `${long}[] ${long}`]);
});

const bad = [
  "",
  " ",
  "1",
  "[]",
  '"x"',
  "{",
  '{"a":1',
  '{"a":1}}',
  '{"a":1} x',
  '{"a":1,}',
  "{'a':1}",
  '{"a":"\u0001"}',
];
const deep = `{"a":${"[".repeat(1_000)}`;

test.each([...bad, "\ufeff{}", deep, '{"a":NaN}'])("%j is refused", async (text) => {
  await expect(read(text)).rejects.toThrow(InvalidJson);
});

test("a file that is not UTF-8 is refused, also at its end", async () => {
  await expect(read(Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]))).rejects.toThrow(InvalidJson);
  await expect(read(Buffer.from([0x7b, 0x7d, 0xc3]))).rejects.toThrow(InvalidJson);
});
