import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ListingPage } from "../../source/source.ts";
import { joinPages } from "./join-pages.ts";

const page = (number: number, keys: number, isLast = false): ListingPage => ({
  objects: Array.from({ length: keys }, (_, index) => ({
    ...{ key: `${number}-${index}`, bytes: 1, etag: null, lastModified: null, storageClass: null },
  })),
  next: isLast ? undefined : { pages: number },
});

/** Reads joined pages with a busy caller. Returns the number of objects and the number of the last page of each. */
async function read(pages: AsyncGenerator<ListingPage>, busyMs: number): Promise<[number, number | undefined][]> {
  const read: [number, number | undefined][] = [];
  for await (const { objects, next } of joinPages(pages)) {
    read.push([objects.length, next?.pages]);
    await sleep(busyMs);
  }
  return read;
}

async function* pagesEvery(ms: number, sizes: number[]): AsyncGenerator<ListingPage> {
  for (const [index, size] of sizes.entries()) {
    await sleep(ms);
    yield page(index + 1, size, index === sizes.length - 1);
  }
}

test("two pages are joined if both arrived while the caller was busy", async () => {
  const ready = async function* () {
    for (const number of [1, 2, 3]) yield page(number, 1_000);
    yield page(4, 500, true);
  };
  expect(await read(ready(), 20)).toEqual([
    [2_000, 2],
    [1_500, undefined],
  ]);
});

test("a page does not wait for the next one", async () => {
  expect(await read(pagesEvery(50, [10, 20, 30]), 0)).toEqual([
    [10, 1],
    [20, 2],
    [30, undefined],
  ]);
});

test("pages before an error are returned before it is thrown", async () => {
  const failing = async function* () {
    yield page(1, 10);
    throw new Error("lost");
  };
  const seen: number[] = [];
  const reading = async () => {
    for await (const { objects } of joinPages(failing())) seen.push(objects.length);
  };
  await expect(reading()).rejects.toThrow("lost");
  expect(seen).toEqual([10]);
});
