import { expect, test } from "vitest";
import { addressingOf, canBeVirtual } from "./addressing.ts";

test.each([
  ["https://s3.amazonaws.com", "barley", "virtual"],
  ["https://s3.cn-north-1.amazonaws.com.cn", "barley", "virtual"],
  ["https://s3.amazonaws.com", "barley.2026", "path"],
  ["https://s3.amazonaws.com", "Barley_2009", "path"],
  ["https://s3.example.org", "barley", "path"],
  ["https://amazonaws.com.example.org", "barley", "path"],
])("at %s, the bucket %s is addressed as %s", (endpoint, bucket, way) => {
  expect(addressingOf({ endpoint, bucket })).toBe(way);
});

test("a bucket whose name is not a label of hosts is never tried in the host name", () => {
  const endpoint = new URL("https://s3.example.org");
  const names = ["barley", "Barley", "lab_data", "tenant:bucket", "a..b"];
  expect(names.filter((name) => canBeVirtual(endpoint, name))).toEqual(["barley"]);
});
