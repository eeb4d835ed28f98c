import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SOURCE_SILENT_MS } from "../../domain/source-access/source-time-limits.ts";
import { Flow, type FlowState } from "./flow.ts";

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

test("a source without requests is not silent", () => {
  const flow = new Flow();
  vi.advanceTimersByTime(60_000);
  expect(flow.state).toEqual({ heardAt: undefined, silentSince: undefined });
  flow.asked();
  flow.heard();
  flow.answered();
  vi.advanceTimersByTime(60_000);
  expect(flow.state).toEqual({ heardAt: 1_060_000, silentSince: undefined });
});

test("silence begins with the request or the last byte, whichever is later, and ends with the next byte", () => {
  const flow = new Flow();
  flow.asked();
  vi.advanceTimersByTime(5_000);
  flow.asked();
  expect(flow.state.silentSince).toBe(1_000_000);
  flow.heard();
  vi.advanceTimersByTime(7_000);
  expect(flow.state.silentSince).toBe(1_005_000);
  flow.answered();
  expect(flow.state.silentSince).toBe(1_005_000);
  flow.answered();
  vi.advanceTimersByTime(7_000);
  flow.asked();
  expect(flow.state.silentSince).toBe(1_019_000);
});

test("silence is reported every second, and once when it has lasted too long", () => {
  const flow = new Flow();
  const told: FlowState[] = [];
  const tooLong = vi.fn();
  const end = flow.watch((state) => told.push(state), tooLong);
  flow.asked();
  vi.advanceTimersByTime(SOURCE_SILENT_MS - 1_000);
  flow.heard();
  vi.advanceTimersByTime(SOURCE_SILENT_MS - 1_000);
  expect(tooLong).not.toHaveBeenCalled();
  expect(told).toHaveLength((2 * SOURCE_SILENT_MS) / 1_000 - 2);
  vi.advanceTimersByTime(10 * SOURCE_SILENT_MS);
  expect(tooLong).toHaveBeenCalledOnce();
  end();
});
