import { expect, test } from "vitest";
import { Pace } from "./pace.ts";

test("the rate is that of what is sent, and the time left counts what must be read, too", () => {
  const pace = new Pace();
  expect(pace.speed(0, 100)).toEqual({});
  pace.read(60);
  expect(pace.speed(1_000, 100)).toEqual({});
  pace.send(40);
  expect(pace.speed(2_000, 100)).toEqual({ rate: 20, secondsLeft: 2 });
});

test("what was measured before a pause, or long ago, does not count", () => {
  const pace = new Pace();
  pace.speed(0, 0);
  pace.send(1_000_000);
  pace.speed(1_000, 0);
  for (let seconds = 2; seconds <= 40; seconds++) {
    pace.send(10);
    pace.speed(seconds * 1_000, 0);
  }
  expect(pace.speed(40_000, 50)).toEqual({ rate: 10, secondsLeft: 5 });
  pace.reset();
  expect(pace.speed(90_000, 50)).toEqual({});
});
