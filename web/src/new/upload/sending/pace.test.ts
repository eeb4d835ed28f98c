import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

const left = (unsent: number, unread = 0) => ({ unsent, unread });

test("the rate is that of what is sent, and the time left is that of sending, also if files were read faster", () => {
  const pace = new Pace();
  expect(pace.speed(0, left(100, 60))).toEqual({});
  pace.read(1_000);
  expect(pace.speed(1_000, left(100))).toEqual({});
  pace.send(40);
  expect(pace.speed(2_000, left(100))).toEqual({ rate: 20, secondsLeft: 5 });
});

test("the time left is that of reading if it is slower than sending", () => {
  const pace = new Pace();
  pace.speed(0, left(100, 100));
  pace.read(20);
  pace.send(20);
  expect(pace.speed(2_000, left(80, 100))).toEqual({ rate: 10, secondsLeft: 10 });
  pace.send(20);
  expect(pace.speed(4_000, left(60, 0))).toEqual({ rate: 10, secondsLeft: 6 });
});

test("what was measured before a pause, or long ago, does not count", () => {
  const pace = new Pace();
  pace.speed(0, left(0));
  pace.send(1_000_000);
  pace.speed(1_000, left(0));
  for (let seconds = 2; seconds <= 40; seconds++) {
    pace.send(10);
    pace.speed(seconds * 1_000, left(0));
  }
  expect(pace.speed(40_000, left(50))).toEqual({ rate: 10, secondsLeft: 5 });
  pace.reset();
  expect(pace.speed(90_000, left(50))).toEqual({});
});
