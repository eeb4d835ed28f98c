import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { AUDIENCE } from "../support/identity/oidc-provider.ts";
import { PAGE_CLIENT, type SignInProvider, startSignInProvider } from "../support/identity/sign-in-provider.ts";
import {
  expectNoViolations,
  ifSkipped,
  noChromium,
  sharedBrowser,
  type Visit,
  visit,
} from "../support/page/browser.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const none = (page: Page) => page.getByText("No submissions yet");

/** Returns what the browser stores of the page beyond the tab, with the address and the history state. */
const kept = (page: Page) =>
  page.evaluate<string>("JSON.stringify([{ ...localStorage }, document.cookie, location.href, history.state])");

let browser: Browser;
beforeAll(async () => {
  if (!noChromium) browser = await sharedBrowser();
});

describe.skipIf(noChromium)(`sign-in with a token ${ifSkipped}`, () => {
  let service: TestService;
  let tokens: Tokens;

  beforeAll(async () => {
    service = await startTestService(TOKENS);
    tokens = await Tokens.open(service);
  });
  afterAll(() => service?.stop());

  async function signIn(page: Page, token: string): Promise<void> {
    await page.getByLabel("Access token").fill(token);
    await page.keyboard.press("Enter");
  }

  test("explains the secret of a link, and does not send it", async () => {
    await using visiting = await visit(browser, `${service.url}/app/sign-in`);
    const { page } = visiting;
    await signIn(page, `rev_${"x".repeat(43)}`);
    await page.getByText("This is a reviewer link, not an access token.").waitFor();
    await signIn(page, `${service.url}/dataset/1#grant_${"x".repeat(43)}`);
    await page.getByText("This is a link to files, not an access token.").waitFor();
    await expectNoViolations(page);
  });

  test("leads back to the requested page; only open tabs keep the token", { tags: "extended" }, async () => {
    const { token } = await tokens.create("ada", "submitter");
    await using visiting = await visit(browser, `${service.url}/app/new?x=a%2520b%25`);
    const { page } = visiting;
    await heading(page, "Sign in").waitFor();
    await signIn(page, ` ${token} `);
    await heading(page, "New submission").waitFor();
    expect(new URL(page.url()).search).toBe("?x=a%2520b%25");
    await page.getByText("ada", { exact: true }).waitFor();
    await page.reload();
    await heading(page, "New submission").waitFor();
    expect(await kept(page)).not.toContain(token);
    // A second tab is signed in, also after the first one is closed. A tab that is opened after both are closed is not.
    const other = await visiting.context.newPage();
    await other.goto(page.url());
    await heading(other, "New submission").waitFor();
    expect(await kept(other)).not.toContain(token);
    await page.close();
    await other.reload();
    await heading(other, "New submission").waitFor();
    const address = other.url();
    await other.close();
    const late = await visiting.context.newPage();
    await late.goto(address);
    await heading(late, "Sign in").waitFor();
  });

  test("begins and ends in all tabs of a session, without changing another user’s tab and drafts", {
    tags: "extended",
  }, async () => {
    const [{ token }, other] = [await tokens.create("eve", "submitter"), await tokens.create("frida", "submitter")];
    await using visiting = await visit(browser, `${service.url}/app/`);
    const first = visiting.page;
    const [second, third] = [await visiting.context.newPage(), await visiting.context.newPage()];
    for (const page of [second, third]) await page.goto(`${service.url}/app/new`);
    await heading(second, "Sign in").waitFor();
    await signIn(first, token);
    for (const page of [first, second, third]) await page.getByText("eve", { exact: true }).waitFor();
    const session = JSON.stringify({ token: other.token, from: "token" });
    await third.evaluate(`sessionStorage["accession.session"] = ${JSON.stringify(session)}`);
    await third.goto(`${service.url}/app/new?part=description`);
    await third.getByText("frida", { exact: true }).waitFor();
    await third.getByLabel("Title").fill("Wheat of Frida");
    await second.goto(`${service.url}/app/new?part=description`);
    await second.getByLabel("Title").fill("Wheat of Eve");
    for (const draft of ["Wheat of Frida", "Wheat of Eve"]) await expect.poll(() => kept(third)).toContain(draft);
    await first.reload();
    await first.getByText("eve", { exact: true }).waitFor();
    await first.getByRole("button", { name: "Sign out" }).click();
    for (const page of [first, second]) {
      await heading(page, "Sign in").waitFor();
      expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).toBe("{}");
    }
    await third.getByText("frida", { exact: true }).waitFor();
    expect(await third.getByLabel("Title").inputValue()).toBe("Wheat of Frida");
    expect(await kept(third)).toContain("Wheat of Frida");
    expect(await kept(third)).not.toContain("Wheat of Eve");
    await third.reload();
    await third.getByText("frida", { exact: true }).waitFor();
  });

  test("ignores a session that the tab did not ask for, and one that was signed out since", {
    tags: "extended",
  }, async () => {
    const { token } = await tokens.create("greta", "submitter");
    await using visiting = await visit(browser, `${service.url}/openapi.json`);
    const [other, page] = [visiting.page, await visiting.context.newPage()];
    const session = { id: "another", token, from: "token" };
    await page.goto(`${service.url}/app/`);
    await heading(page, "Sign in").waitFor();
    await other.evaluate(`{
      globalThis.channel = new BroadcastChannel("accession.session /app");
      channel.postMessage({ kind: "session", ask: "made-up", session: ${JSON.stringify(session)} });
    }`);
    await sleep(500);
    await heading(page, "Sign in").waitFor();
    // The other tab answers, but the session ends before the answer arrives.
    await other.evaluate(`channel.onmessage = ({ data }) => {
      if (data.kind !== "ask") return;
      globalThis.asked = true;
      channel.postMessage({ kind: "out", id: "another" });
      channel.postMessage({ kind: "session", ask: data.ask, session: ${JSON.stringify(session)} });
    }`);
    await page.reload();
    await vi.waitUntil(() => other.evaluate("globalThis.asked"));
    await sleep(500);
    await heading(page, "Sign in").waitFor();
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).toBe("{}");
  });

  test("is not passed on to other tabs below a base path, where the origin may have other applications", {
    tags: "extended",
  }, async () => {
    await using own = await startTestService({ ...TOKENS, ACCESSION_BASE_PATH: "/archive" });
    const { token } = await (await Tokens.open(own)).create("hanna", "submitter");
    await using visiting = await visit(browser, `${own.url}/app/`);
    const { page, context } = visiting;
    await signIn(page, token);
    await page.getByText("hanna", { exact: true }).waitFor();
    const second = await context.newPage();
    await second.goto(`${own.url}/app/`);
    await heading(second, "Sign in").waitFor();
    await signIn(second, token);
    await second.getByText("hanna", { exact: true }).waitFor();
    await page.reload();
    await page.getByText("hanna", { exact: true }).waitFor();
  });

  test("reports a missing or invalid token, and states who must act", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/`);
    const { page } = visiting;
    await signIn(page, "");
    await page.getByText("Enter an access token.").waitFor();
    await signIn(page, "acc_nobody-gave-this-out");
    const alert = page.getByRole("alert");
    await alert.getByText("token_invalid").waitFor();
    expect(await alert.textContent()).toContain("Action required by you");
    await expectNoViolations(page);
  });

  test("ends on any page when the token is revoked, and continues there with another token", {
    tags: "extended",
  }, async () => {
    const [first, second] = [await tokens.create("bob", "submitter"), await tokens.create("bob", "submitter")];
    await using visiting = await visit(browser, `${service.url}/app/`);
    const { page } = visiting;
    await signIn(page, first.token);
    await none(page).waitFor();
    await tokens.revoke(first.id);
    await page.goto(`${service.url}/app/submissions/00000000-0000-4000-8000-000000000000`);
    await page.getByText("the service no longer accepts your token").waitFor();
    await expectNoViolations(page);
    await signIn(page, second.token);
    await page.getByRole("alert").getByText("not_found").waitFor();
    expect(page.url()).toContain("/submissions/00000000");
  });

  test("continues in a tab whose token was rejected, if the user has signed in again in another tab", {
    tags: "extended",
  }, async () => {
    const [first, second] = [await tokens.create("ines", "submitter"), await tokens.create("ines", "submitter")];
    await using visiting = await visit(browser, `${service.url}/app/`);
    const { page } = visiting;
    await signIn(page, first.token);
    await none(page).waitFor();
    const other = await visiting.context.newPage();
    await other.goto(`${service.url}/app/new`);
    await other.getByText("ines", { exact: true }).waitFor();
    await tokens.revoke(first.id);
    await page.goto(`${service.url}/app/`);
    await page.getByText("the service no longer accepts your token").waitFor();
    await signIn(page, second.token);
    await none(page).waitFor();
    // The tab gets the rejection, and then the new session from the first tab.
    await other.getByRole("link", { name: "Datasets" }).click();
    await heading(other, "Datasets").waitFor();
    await other.getByText("ines", { exact: true }).waitFor();
    const tokenOf = (tab: typeof page) => tab.evaluate<string>("JSON.parse(sessionStorage['accession.session']).token");
    expect(await tokenOf(other)).toBe(second.token);
  });

  test("ends with “Sign out”", { tags: "extended" }, async () => {
    const { token } = await tokens.create("carla", "curator");
    await using visiting = await visit(browser, `${service.url}/app/`);
    const { page } = visiting;
    await signIn(page, token);
    await none(page).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Sign in").waitFor();
    await page.reload();
    await heading(page, "Sign in").waitFor();
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).toBe("{}");
  });

  test("does not redirect to another site", { tags: "extended" }, async () => {
    const { token } = await tokens.create("dora", "submitter");
    const away = new URLSearchParams({ from: "//example.org/" });
    await using visiting = await visit(browser, `${service.url}/app/sign-in?${away}`);
    await signIn(visiting.page, token);
    await none(visiting.page).waitFor();
  });
});

describe.skipIf(noChromium)(`sign-in with an identity provider ${ifSkipped}`, () => {
  const settings = (issuer: string) => ({
    ACCESSION_AUTH: "oidc",
    ACCESSION_OIDC_ISSUER: issuer,
    ACCESSION_OIDC_AUDIENCE: AUDIENCE,
  });
  let people: SignInProvider;
  let service: TestService;

  beforeAll(async () => {
    // The page renews a token one minute before it expires, in this case after two seconds.
    people = await startSignInProvider(62);
    service = await startTestService({ ...settings(people.issuer), ACCESSION_OIDC_CLIENT_ID: PAGE_CLIENT });
    people.registerPage(service.url);
  });
  afterAll(async () => {
    await service?.stop();
    await people?.[Symbol.asyncDispose]();
  });

  /** Opens a page, and signs in from there. */
  async function signedIn(): Promise<Visit> {
    const visiting = await visit(browser, `${service.url}/app/new`, {
      origins: [people.issuer, people.tokenOrigin],
    });
    const { page } = visiting;
    await page.getByRole("button", { name: /^Sign in with 127\.0\.0\.1/ }).click();
    // A sign-in that fails is reported at once, with what the page says.
    const outcome = heading(page, "New submission").or(page.getByRole("alert"));
    await outcome.waitFor();
    expect(await outcome.innerText()).toBe("New submission");
    expect(new URL(page.url()).pathname).toBe("/app/new");
    await page.getByText("ada", { exact: true }).waitFor();
    return visiting;
  }

  test("returns to the requested page, renews the token, and also signs out at the provider", async () => {
    await using visiting = await signedIn();
    const { page } = visiting;
    const token = () => page.evaluate<string>("JSON.parse(sessionStorage['accession.session']).token");
    const first = await token();
    expect(await kept(page)).not.toContain(first);
    await vi.waitUntil(async () => (await token()) !== first);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: /yes/i }).click();
    await heading(page, "Sign in").waitFor();
  });

  test("renews the token in all tabs, after a reload, and after it has expired", { tags: "extended" }, async () => {
    const { first } = people.tokens();
    await using visiting = await signedIn();
    const { page } = visiting;
    const token = await page.evaluate<string>("JSON.parse(sessionStorage['accession.session']).token");
    expect(await kept(page)).not.toContain(token);
    await vi.waitUntil(() => people.tokens().renewed > 0);
    const session = (tab: typeof page) => tab.evaluate<string>("sessionStorage['accession.session']");
    await vi.waitUntil(async () => JSON.parse(await session(page)).token !== token);
    // Another tab of the session gets each renewed token.
    const other = await visiting.context.newPage();
    await other.goto(`${service.url}/app/new`);
    await heading(other, "New submission").waitFor();
    const passedOn = await session(other);
    await vi.waitUntil(async () => (await session(other)) !== passedOn);
    expect(JSON.parse(await session(other)).id).toBe(JSON.parse(passedOn).id);
    await other.close();
    // The page still renews the token after a reload.
    const { renewed } = people.tokens();
    await page.reload();
    await heading(page, "New submission").waitFor();
    await vi.waitUntil(() => people.tokens().renewed > renewed);
    // A page that is loaded after the token has expired does not ask to sign in, even if its code loads slowly.
    await page.evaluate(`{
      const [place] = Object.keys(sessionStorage).filter((name) => name.startsWith("oidc.user:"));
      const user = JSON.parse(sessionStorage[place]);
      sessionStorage[place] = JSON.stringify({ ...user, access_token: "run-out", expires_at: 1 });
      sessionStorage["accession.session"] = JSON.stringify({ token: "run-out", from: "provider" });
    }`);
    await page.route("**/NewSubmissionPage-*.js", async (route) => {
      await sleep(800);
      await route.continue();
    });
    await page.reload();
    await heading(page, "New submission").waitFor();
    await page.getByText("ada", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: /yes/i }).click();
    await heading(page, "Sign in").waitFor();
    expect(people.tokens().first).toBe(first + 1);
  });

  test("reports a failed sign-in at the provider", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/signed-in?error=access_denied&state=made-up`);
    const { page } = visiting;
    await page.getByRole("alert").getByText("Sign-in failed").waitFor();
    await expectNoViolations(page);
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("button", { name: /^Sign in with/ }).waitFor();
  });

  test("reports that the browser cannot reach the provider, and can be repeated", { tags: "extended" }, async () => {
    await using visiting = await visit(browser, `${service.url}/app/new`, {
      origins: [people.issuer, people.tokenOrigin],
      expected: [/^Failed to load resource: net::ERR_FAILED/],
    });
    const { page, context } = visiting;
    const { host } = new URL(people.issuer);
    const begin = async () => {
      await page.getByRole("button", { name: /^Sign in with/ }).click();
      await page.getByRole("alert").getByText(`Your browser cannot reach ${host}.`).waitFor();
      expect(await page.getByText("The service cannot be reached").count()).toBe(0);
    };
    await context.route(`${people.issuer}/.well-known/*`, (route) => route.abort());
    await begin();
    await context.unrouteAll();
    // A token endpoint that does not respond.
    await page.clock.install();
    const asked = Promise.withResolvers<void>();
    await context.route(`${people.tokenOrigin}/token`, () => asked.resolve());
    const isReported = begin();
    await asked.promise;
    await page.clock.fastForward(30_000);
    await isReported;
    await expectNoViolations(page);
    await context.unrouteAll();
    await page.getByRole("link", { name: "Try again" }).click();
    await page.getByRole("button", { name: /^Sign in with/ }).click();
    await page.getByText("ada", { exact: true }).waitFor();
  });

  test("is possible at a provider that has just failed", async () => {
    await using provider = await startSignInProvider();
    await using own = await startTestService({ ...settings(provider.issuer), ACCESSION_OIDC_CLIENT_ID: PAGE_CLIENT });
    const policy = async () => (await fetch(`${own.url}/app/signed-in`)).headers.get("content-security-policy");
    expect(await policy()).not.toContain(provider.tokenOrigin);
    provider.registerPage(own.url);
    expect(await policy()).toContain(provider.tokenOrigin);
  });

  test("is not offered if no client id is configured", { tags: "extended" }, async () => {
    await using own = await startTestService(settings(people.issuer));
    await using visiting = await visit(browser, `${own.url}/app/`);
    await visiting.page.getByText("Sign-in is not configured for this page").waitFor();
    expect(await visiting.page.getByText("ACCESSION_OIDC_CLIENT_ID").count()).toBe(1);
    await expectNoViolations(visiting.page);
    const status = async (headers: Record<string, string>) => (await own.api.get("/caller", headers)).status;
    expect(await status(bearer("not-a-token"))).toBe(401);
  });
});
