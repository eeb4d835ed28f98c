import { generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { OidcIssuer } from "../../src/people/oidc.ts";
import { goodMetadata } from "../support/api/api.ts";
import { bearer } from "../support/api/callers.ts";
import { AUDIENCE, type OidcProvider, startOidcProvider } from "../support/identity/oidc-provider.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let provider: OidcProvider;
let service: TestService;
let s3: S3Server;

const settings = (issuer: string) => ({
  ACCESSION_AUTH: "oidc",
  ACCESSION_OIDC_ISSUER: issuer,
  ACCESSION_OIDC_AUDIENCE: AUDIENCE,
  ACCESSION_RATE_LIMIT_SIGN_IN: "0",
});

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("full");
  s3.put("full", "a", "a");
  provider = await startOidcProvider();
  service = await startTestService(settings(provider.issuer));
});
afterAll(async () => {
  await service.stop();
  await provider[Symbol.asyncDispose]();
  await s3.close();
});
afterEach(() => vi.restoreAllMocks());

const list = async (token: string) => service.api.get("/submission", bearer(token));
const statusOf = async (token: string) => (await list(token)).status;

describe("an access token of the provider", () => {
  test("identifies its subject at this issuer", async () => {
    const ada = bearer(await provider.token("ada"));
    const upload = { metadata: goodMetadata, s3Access: { endpoint: s3.endpoint, bucket: "full", ...keys } };
    const { status, json } = await service.api.post("/submission/upload/s3upload", upload, ada);
    expect([status, json.owner]).toEqual([202, `${provider.issuer}#ada`]);
    const path = `/submission/${json.id}`;
    const see = async (client: string) => (await service.api.get(path, bearer(await provider.token(client)))).status;
    expect(await Promise.all(["ada", "bob", "carla", "both", "root"].map(see))).toEqual([200, 404, 200, 200, 200]);
    const cancel = async (client: string) =>
      (await service.api.post(`${path}/cancel`, undefined, bearer(await provider.token(client)))).status;
    // A curator who is also a submitter can read the submission, but not change it, because it has another owner.
    expect([await cancel("bob"), await cancel("carla"), await cancel("both")]).toEqual([404, 403, 403]);
    await vi.waitUntil(async () => (await service.api.get(path, ada)).json.status === "completed");
  });

  test("without a role grants no access", async () => {
    const { status, json } = await list(await provider.token("guest"));
    expect([status, json.code, json.detail]).toEqual([403, "forbidden", expect.stringContaining("no role")]);
  });

  test("with two roles grants the access of both", async () => {
    const both = bearer(await provider.token("both"));
    expect((await service.api.get("/metrics", both)).status).toBe(200);
    expect((await service.api.post("/submission/upload/s3upload", {}, both)).status).toBe(422);
  });

  test("is accepted up to one minute after it expired", async () => {
    const at = (seconds: number) => provider.sign({ exp: Math.floor(Date.now() / 1000) + seconds });
    expect(await statusOf(await at(-30))).toBe(200);
    const { status, json } = await list(await at(-90));
    expect([status, json.code, json.detail]).toEqual([401, "token_invalid", "The token has expired"]);
  });
});

describe("an invalid token is refused:", () => {
  const cases: [string, () => Promise<string> | string][] = [
    ["one for another audience", () => provider.token("root", "urn:another:service")],
    ["one of another issuer", () => provider.sign({ iss: "https://id.example.org" })],
    ["one without a subject", () => provider.sign({ sub: undefined as never })],
    ...["", " \u00a0", "a\u0000b", "a\nb", "a\u009fb", "\ud800", "x".repeat(256), 7, true, null, {}, ["ada"]].map(
      (sub): [string, () => Promise<string>] => [
        `one with the subject ${JSON.stringify(sub).slice(0, 20)}`,
        () => provider.sign({ sub: sub as never }),
      ],
    ),
    ...Object.entries({
      "an audience within a list within a list": { aud: [[AUDIENCE]] },
      "an audience that is an object": { aud: { 0: AUDIENCE } },
      "an issuer that is a list": { iss: ["x"] },
      "an expiry time that is a string": { exp: "4000000000" },
      "a start time that is a string": { nbf: "1" },
    }).map(([what, claims]): [string, () => Promise<string>] => [
      `one with ${what}`,
      () => provider.sign(claims as never),
    ]),
    ["one without an expiry time", () => provider.sign({ exp: undefined as never })],
    ["an ID token", () => provider.sign({ nonce: "n-0S6_WzA2Mj" } as never)],
    ["a logout token", () => provider.sign({ events: {} } as never)],
    ["one that is not valid yet", () => provider.sign({ nbf: Math.floor(Date.now() / 1000) + 600 })],
    ["one with a changed claim", async () => changed(await provider.token("ada"))],
    ["one without a signature", () => unsigned()],
    ["one signed with the provider’s public key as a secret", () => shared()],
    ["one signed with another key in the provider’s name", () => foreign()],
    ["a token of this service", () => `acc_${"x".repeat(43)}`],
    ["text that is not a token", () => "null"],
  ];
  test.each(cases)("%s", async (_, make) => {
    const { status, headers, json } = await list(await make());
    expect([status, json.code]).toEqual([401, "token_invalid"]);
    expect(headers.get("www-authenticate")).toBe('Bearer realm="accession", error="invalid_token"');
  });

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = () => ({ iss: provider.issuer, aud: AUDIENCE, sub: "root", roles: ["admin"], exp: 4e9 });
  const unsigned = () => `${part({ alg: "none" })}.${part(claims())}.`;

  function changed(token: string): string {
    const [head, body = "", signature] = token.split(".");
    const content = JSON.parse(Buffer.from(body, "base64url").toString()) as object;
    return [head, part({ ...content, roles: ["admin"] }), signature].join(".");
  }

  async function shared(): Promise<string> {
    const jwks = await (await fetch(`${provider.issuer}/jwks`)).text();
    return new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(jwks));
  }

  async function foreign(): Promise<string> {
    const { privateKey } = await generateKeyPair("ES256");
    return new SignJWT(claims()).setProtectedHeader({ alg: "ES256", kid: "unheard-of" }).sign(privateKey);
  }
});

describe("the provider’s keys", () => {
  test("are fetched once, and again for a new key, but not for every unknown key", async () => {
    expect(await statusOf(await provider.token("ada"))).toBe(200);
    const before = provider.keyRequests();
    await provider.rotate();
    const token = await provider.token("ada");
    // The keys were fetched a moment ago: tokens with invented keys must not cause further fetches.
    const answers = await Promise.all(Array.from({ length: 20 }, () => statusOf(token)));
    expect(new Set(answers)).toEqual(new Set([401]));
    expect(provider.keyRequests() - before).toBe(0);
    const now = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => now + 31_000);
    expect(await statusOf(token)).toBe(200);
    expect(provider.keyRequests() - before).toBe(1);
  });
});

test("known keys are sufficient while the provider is unavailable", { tags: "extended" }, async () => {
  await using own = await startOidcProvider();
  await using lonely = await startTestService(settings(own.issuer));
  const token = await own.token("ada");
  const read = (as: string) => lonely.api.get("/submission", bearer(as));
  expect((await read(token)).status).toBe(200);
  const unknown = await own.sign({}, { kid: "unheard-of" });
  const lasting = await own.sign({ exp: 4e9 });
  await own.stop();
  const now = Date.now();
  vi.spyOn(Date, "now").mockImplementation(() => now + 31_000);
  // Only the provider knows whether the unknown key exists. Requests with known keys are not affected.
  const [first, other, again] = [await read(unknown), await read(token), await read(unknown)];
  expect([first.status, other.status, again.status]).toEqual([503, 200, 503]);
  // Long after the keys should have been fetched again.
  vi.spyOn(Date, "now").mockImplementation(() => now + 3 * 3_600_000);
  for (let n = 0; n < 3; n++) expect((await read(lasting)).status).toBe(200);
  await own.start();
});

test("an unavailable provider is not reported as an error of the caller", { tags: "extended" }, async () => {
  await using own = await startOidcProvider();
  const token = await own.token("ada");
  await using lonely = await startTestService(settings(own.issuer));
  await own.stop();
  const { status, headers, json } = await lonely.api.get("/submission", bearer(token));
  expect([status, json.code, json.fault]).toEqual([503, "identity_unavailable", "operator"]);
  expect(headers.get("www-authenticate")).toBeNull();
  const checked = await lonely.api.post("/submission/upload/s3check", {}, bearer(token));
  expect([checked.status, checked.headers.get("content-type")]).toEqual([503, expect.stringContaining("text/plain")]);
  expect((await lonely.api.get("/health/ready")).status).toBe(200);
  // A text that is not a token is refused without contacting the provider.
  expect((await lonely.api.get("/submission", bearer("null"))).status).toBe(401);
  await own.start();
  await vi.waitUntil(async () => (await lonely.api.get("/submission", bearer(token))).status === 200, {
    interval: 200,
  });
});

test.each([
  ["roles", "submitter", 200],
  ["roles", ["other", "submitter"], 200],
  ["roles", "submitter admin", 403],
  ["roles", "administrator", 403],
  ["roles", " submitter", 403],
  ["roles", [["submitter"]], 403],
  ["roles", ["submitter admin"], 403],
  ["roles", { submitter: true }, 403],
  ["roles", 1, 403],
  ["scope", "openid submitter", 200],
  ["scope", "openid administer", 403],
])("the claim %s with the value %j gives %i", async (claim, value, wanted) => {
  const issuer = new OidcIssuer({ issuer: provider.issuer, audience: AUDIENCE, rolesClaim: claim });
  const token = await provider.sign({ roles: undefined, [claim]: value } as never);
  expect((await issuer.caller(token)).roles).toEqual(wanted === 200 ? ["submitter"] : []);
});

test("a token with an expiry time that is not a valid date is accepted", async () => {
  const issuer = new OidcIssuer({ issuer: provider.issuer, audience: AUDIENCE, rolesClaim: "roles" });
  expect((await issuer.caller(await provider.sign({ exp: 1e300 }))).until).toBeUndefined();
});

test.each(["__proto__.roles", "constructor.name", "roles.length", "roles.__proto__"])(
  "the claim %s names no role",
  async (rolesClaim) => {
    const issuer = new OidcIssuer({ issuer: provider.issuer, audience: AUDIENCE, rolesClaim });
    expect((await issuer.caller(await provider.token("root"))).roles).toEqual([]);
  },
);

test.each(["realm.roles", "nothing.here"])("roles are found in the claim %s", { tags: "extended" }, async (claim) => {
  await using own = await startTestService({ ...settings(provider.issuer), ACCESSION_OIDC_ROLES_CLAIM: claim });
  const { status } = await own.api.get("/submission", bearer(await provider.token("root")));
  expect(status).toBe(claim === "realm.roles" ? 200 : 403);
});
