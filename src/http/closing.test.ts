import { EventEmitter } from "node:events";
import type { FastifyReply, FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../domain/problems.ts";
import type { HttpContext } from "./context.ts";
import { closing, goneSignal } from "./fastify.ts";
import { AtOnce } from "./requests/connections.ts";
import { AccessRechecks } from "./responses/access-rechecks.ts";
import { closeDownloadOnRevocation, closeStreamOnRevocation } from "./responses/close-on-revocation.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The raw response of a client that disconnected before the operation started, or of a connected client. */
const answer = (closed: boolean) => Object.assign(new EventEmitter(), { closed, destroyed: closed });
const replyOf = (raw: EventEmitter) => ({ raw }) as unknown as FastifyReply;

function service() {
  const listeners = new Set<unknown>();
  const notifications = {
    listen: (_: string, listener: unknown) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { listeners, context: { access: new AccessRechecks(notifications) } as HttpContext };
}
const request = {
  headers: {},
  caller: { owner: "ada", roles: [], token: "t" },
  log: { info: () => undefined },
} as unknown as FastifyRequest;

test("a response whose client has disconnected is not monitored, and its signal is aborted", () => {
  const { listeners, context } = service();
  const raw = answer(true);
  expect(closeStreamOnRevocation(context, request, replyOf(raw), "ada").aborted).toBe(true);
  closeDownloadOnRevocation(context, request, replyOf(raw));
  expect([listeners.size, vi.getTimerCount(), raw.listenerCount("close")]).toEqual([0, 0, 0]);
});

test("a response is monitored until its client disconnects", () => {
  const { listeners, context } = service();
  const raw = answer(false);
  const signal = closeStreamOnRevocation(context, request, replyOf(raw), "ada");
  expect([signal.aborted, listeners.size, vi.getTimerCount()]).toEqual([false, 1, 1]);
  raw.emit("close");
  expect([listeners.size, vi.getTimerCount()]).toEqual([0, 0]);
});

test("the access of a reader with many responses is checked once a round, and all of them end", async () => {
  const { context } = service();
  let checks = 0;
  let known = true;
  const authenticate = async () => {
    checks++;
    if (!known) throw new Problem("token_invalid");
    return { owner: "ada", roles: [], token: "t" };
  };
  const signals = Array.from({ length: 1_000 }, () =>
    closeStreamOnRevocation({ ...context, authenticate }, request, replyOf(answer(false)), "ada"),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  expect(checks).toBeLessThanOrEqual(4);
  known = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(signals.every(({ aborted }) => aborted)).toBe(true);
});

test("the signal of a client that has disconnected is aborted", () => {
  expect(goneSignal(replyOf(answer(true))).aborted).toBe(true);
  expect(goneSignal(replyOf(answer(false))).aborted).toBe(false);
});

test("requests whose clients have disconnected do not count towards the concurrency limit of a caller", () => {
  const open = new AtOnce(2);
  for (let i = 0; i < 5; i++) expect(open.begin("ada", closing(answer(true)))).toBe(true);
  const connected = [answer(false), answer(false)];
  for (const one of connected) expect(open.begin("ada", closing(one))).toBe(true);
  expect(open.begin("ada", closing(answer(false)))).toBe(false);
  connected[0]?.emit("close");
  expect(open.begin("ada", closing(answer(false)))).toBe(true);
});
