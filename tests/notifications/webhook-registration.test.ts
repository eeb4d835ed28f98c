import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../support/api/api.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const UNREACHABLE_URL = "http://127.0.0.1:1/";
let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(async () => {
  for (const { id } of (await service.api.get("/webhook")).json) {
    await service.api.send(`/webhook/${id}`, { method: "DELETE" });
  }
});

describe("registering", () => {
  const refusal = async (url: string) => {
    const { status, json } = await service.api.post("/webhook", { url });
    return [status, json.errors?.[0]?.pointer, json.errors?.[0]?.code];
  };

  test.each([
    "ftp://lab.example.org",
    "lab.example.org/hook",
    "https://ada:secret@lab.example.org/",
    "https://lab.example.org/#part",
    "https://127.1/",
    "http://0x7f000001/",
    "https://lab.example.org\\@other.org/",
    "https:lab.example.org",
    "http://8.8.8.8/plain-on-the-internet",
  ])("refuses the invalid URL %s", async (url) => {
    expect(await refusal(url)).toEqual([422, "/url", "webhook_url_invalid"]);
  });

  test.each([
    "http://169.254.169.254/latest/",
    "http://[fe80::1]/",
    "http://0.0.0.0/",
    "https://[::ffff:169.254.0.1]/",
  ])("refuses a URL that the egress rules forbid: %s", async (url) => {
    expect(await refusal(url)).toEqual([422, "/url", "address_refused"]);
  });

  test("refuses host names that do not resolve, and unknown members", async () => {
    expect(await refusal("https://nowhere.invalid/")).toEqual([422, "/url", "address_unresolvable"]);
    const { status, json } = await service.api.post("/webhook", { url: UNREACHABLE_URL, secret: "mine" });
    expect([status, json.errors[0].code]).toEqual([422, "unknown_member"]);
  });

  test("is limited to 20 per owner, which are listed page by page", async () => {
    for (let n = 0; n < 20; n++) await service.api.post("/webhook", { url: UNREACHABLE_URL });
    const { status, json } = await service.api.post("/webhook", { url: UNREACHABLE_URL });
    expect([status, json.code]).toEqual([409, "too_many_webhooks"]);
    const seen: string[] = [];
    for (let path: string | undefined = "/webhook?limit=8"; path !== undefined; ) {
      const page: Answer = await service.api.get(path);
      seen.push(...page.json.map(({ id }: { id: string }) => id));
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(new Set(seen).size).toBe(20);
  });
});
