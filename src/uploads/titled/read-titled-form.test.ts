import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { readTitledForm } from "./read-titled-form.ts";

const KIB = 1024;
const SENT = { contentType: "multipart/form-data; boundary=b", isFromWindows: false };
const START = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
const PIECE = Buffer.alloc(64 * KIB, "x");
const END = Buffer.from("\r\n--b--\r\n");

/** The pieces of a form, between which its receiver has time to refuse the file. */
async function* arriving(pieces: readonly Buffer[]) {
  for (const piece of pieces) {
    for (let n = 0; n < 5; n++) await turn();
    yield piece;
  }
}

test.each([
  ["at once", 0],
  ["while further bytes arrive", 3],
  ["when all bytes have arrived", 12],
])("a file that is refused %s, and not read further, ends the form", async (_, turns) => {
  for (const pieces of [
    [START, END],
    [START, PIECE, END],
    [START, ...Array(20).fill(PIECE), END],
  ]) {
    const refusal = new Error("refused");
    const reading = readTitledForm(arriving(pieces), SENT, async () => {
      for (let n = 0; n < turns; n++) await turn();
      throw refusal;
    });
    await expect(reading).rejects.toBe(refusal);
  }
});

test.each([
  ["of a browser", "a%22b", false, 'a"b'],
  ["of a browser, with other percent signs", "50%25 %2F.csv", false, "50%25 %2F.csv"],
  ["of a browser on Windows", "a%22b%0A", true, "a%22b%0A"],
  ["of a program that escapes quotation marks with a backslash", 'a\\"b%22c', false, 'a"b%22c'],
])("the name of a file %s is restored", async (_, sent, isFromWindows, name) => {
  const text = `--b\r\nContent-Disposition: form-data; name="file"; filename="${sent}"\r\n\r\n\r\n${["metaData", "path"]
    .map((field) => `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n\r\n`)
    .join("")}--b--`;
  const form = await readTitledForm(arriving([Buffer.from(text)]), { ...SENT, isFromWindows }, async (content) => {
    content.resume();
  });
  expect(form.name).toBe(name);
});
