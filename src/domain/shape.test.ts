import { Type } from "typebox";
import { Settings } from "typebox/system";
import { describe, expect, test } from "vitest";
import { mostRemarks, pointerTo } from "./remarks.ts";
import { shapeFaults, textFaults, unknownMembers, withoutEmpty } from "./shape.ts";

const Entry = Type.Object({ name: Type.String({ minLength: 2 }), "a/b~c": Type.Optional(Type.String()) });
const Schema = Type.Object(
  {
    title: Type.String({ maxLength: 5 }),
    secretKey: Type.Optional(Type.String()),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 9 })),
    list: Type.Optional(Type.Array(Entry, { minItems: 1, maxItems: 2 })),
    word: Type.Optional(Type.Union([Type.Literal("yes"), Type.Literal("no")])),
    either: Type.Optional(Type.Union([Type.String(), Type.Boolean()])),
    code: Type.Optional(Type.String({ pattern: "^[a-z]+$" })),
    always: Type.Optional(Type.Literal(true)),
    kind: Type.Optional(Type.Enum(["a", "b"])),
  },
  { additionalProperties: false },
);

function found(value: unknown): string[] {
  return shapeFaults(Schema, value, "/x").map(({ pointer, code }) => `${code} ${pointer}`);
}

describe("shapeFaults", () => {
  test("accepts values that match the schema", () => {
    expect(found({ title: "ok", list: [{ name: "ab", more: 1 }], word: "no", either: true, kind: "a" })).toEqual([]);
  });

  test("reports all errors together, each with its pointer", () => {
    const value = {
      secretKey: 4,
      count: 0,
      list: [{ "a/b~c": 1 }, { name: "x" }, 3],
      word: "maybe",
      either: 5,
      code: "A",
      always: false,
      kind: "c",
      "un/known": 1,
    };
    expect(found(value).sort()).toEqual([
      "required /x/list/0/name",
      "required /x/title",
      "too_long /x/list",
      "too_short /x/list/1/name",
      "unknown_member /x/un~1known",
      "wrong_type /x/either",
      "wrong_type /x/list/0/a~1b~0c",
      "wrong_type /x/list/2",
      "wrong_type /x/secretKey",
      "wrong_value /x/always",
      "wrong_value /x/code",
      "wrong_value /x/count",
      "wrong_value /x/kind",
      "wrong_value /x/word",
    ]);
  });

  test("counts code points, not UTF-16 units", () => {
    expect(found({ title: "😀😀😀😀😀" })).toEqual([]);
    expect(found({ title: "😀😀😀😀😀😀" })).toEqual(["too_long /x/title"]);
  });

  test("states the requirement and never quotes the value", () => {
    const details = shapeFaults(Schema, { title: 1, count: 99, word: "hunter2", either: 3 }, "").map((it) => it.detail);
    expect(details).toEqual([
      "The value must be a string.",
      "The value must be at most 9.",
      "The value must be one of “yes”, “no”.",
      "The value must be a string or true or false.",
    ]);
  });

  test.each([null, "text", 3, []])("refuses %j if an object is required", (value) => {
    expect(found(value)).toEqual(["wrong_type /x"]);
  });

  test("names the required members of a required object", () => {
    const faults = shapeFaults(Type.Object({ dataset: Type.Object({ id: Type.String() }) }), { dataset: "x" }, "");
    expect(faults).toEqual([
      { pointer: "/dataset", code: "wrong_type", detail: "The value must be an object with “id”." },
    ]);
  });

  test("an absent value is reported as required", () => {
    expect(found(undefined)).toEqual(["required /x"]);
  });

  test("members named __proto__ and constructor are treated as unknown members", () => {
    const value: unknown = JSON.parse('{"title":"a","__proto__":{"title":1},"constructor":1}');
    expect(found(value)).toEqual(["unknown_member /x/__proto__", "unknown_member /x/constructor"]);
  });

  test("reports more than TypeBox’s eight errors, up to a limit, and does not change TypeBox’s setting", () => {
    const { maxErrors } = Settings.Get();
    const list = Type.Array(Type.String());
    expect(shapeFaults(list, Array(50).fill(1), "")).toHaveLength(50);
    expect(shapeFaults(list, Array(mostRemarks + 5).fill(1), "")).toHaveLength(mostRemarks);
    expect(Settings.Get().maxErrors).toBe(maxErrors);
  });
});

test("pointers are escaped according to RFC 6901", () => {
  expect(pointerTo("/a", "b/c", 0, "~1")).toBe("/a/b~1c/0/~01");
});

test("unknown members are reported, also if an inherited property has the name", () => {
  const value: unknown = JSON.parse('{"title":"a","toString":1,"__proto__":2}');
  expect(unknownMembers(Schema, value, "/x").map((it) => it.pointer)).toEqual(["/x/toString", "/x/__proto__"]);
  expect(unknownMembers(Schema, [1], "/x")).toEqual([]);
});

describe("withoutEmpty", () => {
  test("removes empty and null members at every depth and keeps the positions of list entries", () => {
    const sent = { a: "", b: null, c: { d: "", e: 0 }, f: ["", null, { g: "" }], h: false, i: " " };
    expect(withoutEmpty(sent)).toStrictEqual({ c: { e: 0 }, f: ["", null, {}], h: false, i: " " });
    expect(sent.a).toBe("");
  });

  test("a member __proto__ remains data and does not change prototypes", () => {
    const copy = withoutEmpty(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    expect(Object.keys(copy as object)).toEqual(["__proto__", "constructor"]);
    expect((copy as { polluted?: number }).polluted).toBeUndefined();
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("accepts 64 levels and refuses 65 or more", () => {
    const nested = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(() => withoutEmpty(nested(64))).not.toThrow();
    for (const levels of [65, 5_000]) {
      expect(() => withoutEmpty(nested(levels))).toThrow(expect.objectContaining({ code: "bad_request" }));
      expect(() => textFaults(nested(levels), "")).toThrow(expect.objectContaining({ code: "bad_request" }));
    }
  });

  test("refuses more than 200,000 values", () => {
    expect(() => withoutEmpty(Array(200_001).fill({}))).toThrow(expect.objectContaining({ code: "body_too_large" }));
  });
});

describe("textFaults", () => {
  test.each([
    [{ a: "x\0y" }, "/a"],
    [{ a: ["fine", "\ud800"] }, "/a/1"],
    [{ a: { "\udc00": 1 } }, "/a/\udc00"],
    ["\0", ""],
  ])("refuses %j", (value, pointer) => {
    expect(textFaults(value, "")).toEqual([expect.objectContaining({ pointer, code: "wrong_value" })]);
  });

  test("accepts emoji, controls and line breaks", () => {
    expect(textFaults({ a: "😀\r\n\u001b", b: 1, c: null }, "")).toEqual([]);
  });
});
