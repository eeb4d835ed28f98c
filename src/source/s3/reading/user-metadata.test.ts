import { describe, expect, test } from "vitest";
import { userMetadataOf } from "./user-metadata.ts";

const latin1 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("latin1");
const base64 = (value: string) => Buffer.from(value, "latin1").toString("base64");
const valuesOf = (value: string) => {
  const { userMetadata, userMetadataBytes } = userMetadataOf({ "x-amz-meta-name": value });
  return [userMetadata?.name, userMetadataBytes?.name];
};

describe("a value of user metadata", () => {
  test.each([
    ["plain ASCII", "a value, with \t a tab", "a value, with \t a tab"],
    ["an empty value", "", ""],
    ["UTF-8 (Ceph, MinIO)", latin1("Jürgen 麦"), "Jürgen 麦"],
    ["characters outside of the basic plane", latin1("🌾"), "🌾"],
    ["ASCII that only resembles an encoded word", "a=?b?c?=, =?utf-8?x?YQ==?= =?=", "a=?b?c?=, =?utf-8?x?YQ==?= =?="],
    ["encoded words within other text", 'before"=?utf-8?q?a?="', 'before"=?utf-8?q?a?="'],
  ])("in %s is certain", (_, value, text) => expect(valuesOf(value)).toEqual([text, undefined]));

  test.each([
    ["RFC 2047 with Base64 (Amazon S3)", `=?UTF-8?B?${Buffer.from("Jürgen 麦").toString("base64")}?=`, "Jürgen 麦"],
    ["RFC 2047 with Q", "=?utf-8?Q?J=C3=BCrgen_=E9=BA=A6?=", "Jürgen 麦"],
    ["RFC 2047 in Latin-1, within other text", "from =?iso-8859-1?q?J=FCrgen?= here", "from Jürgen here"],
    ["several encoded words", "=?utf-8?q?a_?= \t=?utf-8?b?w7w=?= =?iso-8859-1*de?q?=FC?= b", "a üü b"],
    ["encoded words that divide a character", "=?utf-8?b?w?= =?utf-8?q?=C3?= =?utf-8?q?=BC?=", "ü"],
    ["a charset of another region", "=?gb2312?b?wvM=?=", "麦"],
    ["Latin-1", "J\xfcrgen", "Jürgen"],
  ])("in %s is decoded, and its bytes are kept", (_, value, text) => {
    expect(valuesOf(value)).toEqual([text, base64(value)]);
  });

  test.each([
    ["an unknown charset", "=?x-unknown?q?a?="],
    ["bytes that are not valid in the charset", "=?utf-8?q?=FF?="],
    ["a NUL, which a database cannot store", "=?utf-8?q?=00?="],
  ])("with %s stays as it is", (_, value) => expect(valuesOf(value)).toEqual([value, undefined]));

  test("is found among other headers, and each value is decoded for itself", () => {
    const headers = {
      ...{ etag: '"1"', "x-amz-meta-a": latin1("é"), "x-amz-meta-b": "\xe9", "x-amz-meta-c": "e" },
      "x-amz-checksum-crc32": "YQ==",
    };
    expect(userMetadataOf(headers)).toEqual({
      userMetadata: { a: "é", b: "é", c: "e" },
      userMetadataBytes: { b: "6Q==" },
    });
    expect(userMetadataOf({ etag: '"1"' })).toEqual({});
    const odd = JSON.stringify(userMetadataOf({ "x-amz-meta-__proto__": "a" }));
    expect(odd).toBe('{"userMetadata":{"__proto__":"a"}}');
  });
});
