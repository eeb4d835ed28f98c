import { describe, expect, test } from "vitest";
import { dueEmbargoNotice, embargoNotice, embargoNoticeKey } from "./embargo-notices.ts";

const DATE = "2027-03-31";
const at = (text: string) => new Date(text);

describe("notices about the end of an embargo", () => {
  test.each([
    ["2027-02-28T23:59:59.999Z", undefined],
    ["2027-03-01T00:00:00.000Z", 30],
    ["2027-03-23T23:59:59.999Z", 30],
    ["2027-03-24T00:00:00.000Z", 7],
    ["2027-03-30T23:59:59.999Z", 7],
    ["2027-03-31T00:00:00.000Z", 0],
    ["2030-01-01T00:00:00.000Z", 0],
  ])("at %s: %s", (now, days) => {
    expect(embargoNotice(DATE, at(now))?.days).toBe(days);
  });

  test("are given once, and only the last one after a pause", () => {
    const start = embargoNoticeKey(DATE, at("2026-11-24T00:00:00Z"));
    expect(dueEmbargoNotice(DATE, start, at("2027-02-01T00:00:00Z"))).toBeUndefined();
    expect(dueEmbargoNotice(DATE, start, at("2027-03-05T00:00:00Z"))?.days).toBe(30);
    expect(dueEmbargoNotice(DATE, start, at("2027-06-01T00:00:00Z"))?.days).toBe(0);
    const ended = embargoNoticeKey(DATE, at("2027-06-01T00:00:00Z"));
    expect(dueEmbargoNotice(DATE, ended, at("2028-06-01T00:00:00Z"))).toBeUndefined();
  });

  test("are not repeated if the clock is set back", () => {
    const ended = embargoNoticeKey(DATE, at("2027-03-31T00:00:00Z"));
    expect(dueEmbargoNotice(DATE, ended, at("2027-03-30T12:00:00Z"))).toBeUndefined();
  });

  test("start again for another date, but not for what is over when the embargo begins", () => {
    const before = embargoNoticeKey(DATE, at("2027-03-31T00:00:00Z"));
    expect(dueEmbargoNotice("2027-05-01", before, at("2027-04-28T00:00:00Z"))?.days).toBe(7);
    const short = embargoNoticeKey(DATE, at("2027-03-20T00:00:00Z"));
    expect(dueEmbargoNotice(DATE, short, at("2027-03-21T00:00:00Z"))).toBeUndefined();
    expect(dueEmbargoNotice(DATE, short, at("2027-03-26T00:00:00Z"))?.days).toBe(7);
  });

  test("do not exist without an embargo", () => {
    expect([embargoNoticeKey(null, new Date()), dueEmbargoNotice(null, null, new Date())]).toEqual([null, undefined]);
  });
});
