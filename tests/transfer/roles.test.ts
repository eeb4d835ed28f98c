import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { Api, goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { PRINCIPAL, SERVICE_IDENTITY, type StsServer, startStsServer } from "../support/data-source/sts-server.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const ARN = "arn:aws:iam::123456789012:role/barley-roots-reader";
let s3: S3Server;
let sts: StsServer;
let service: TestService;
let josiah: Api;
let mallory: Api;

beforeAll(async () => {
  s3 = await startS3Server();
  sts = await startStsServer(s3);
  service = await startTestService({
    ...TOKENS,
    ...sts.settings,
  });
  const tokens = await Tokens.open(service);
  const apiOf = async (name: string) => {
    const api = new Api(service.url);
    api.headers = bearer((await tokens.create(name, "submitter")).token);
    return api;
  };
  [josiah, mallory] = [await apiOf("josiah"), await apiOf("mallory")];
});
afterAll(async () => {
  await service.stop();
  await sts.close();
  await s3.close();
});

const roleAccess = async (api: Api) => (await api.get("/caller")).json.roleAccess;
const restart = async (changed: Record<string, string> = {}) => {
  await service.restart(undefined, changed);
  for (const api of [josiah, mallory]) Object.assign(api, { url: service.url });
};

function bucketOf(name: string) {
  s3.createBucket(name);
  for (let n = 0; n < 20; n++) s3.put(name, `plot/${n}.csv`, `measurement ${n}\n`);
  return { endpoint: s3.endpoint, bucket: name, roleArn: ARN };
}

test("a bucket is archived with a role that trusts the service for this owner", async () => {
  const { principal, externalId } = await roleAccess(josiah);
  expect(principal).toBe(PRINCIPAL);
  sts.roles.set(ARN, { externalId });
  const access = bucketOf("trusting");
  const { json: report } = await josiah.post("/submission/upload/s3check/report", access);
  expect(report).toMatchObject({ ok: true });
  expect((await josiah.post("/submission/upload/s3preview", access)).json.objects).toBe(20);
  expect((await josiah.post("/submission/upload/s3metadata", access)).status).toBe(200);
  const { id } = await josiah.submit(access);
  await josiah.until(id, ["completed"]);
  const texts = [(await josiah.get(`/submission/${id}`)).text, (await josiah.get(`/submission/${id}/events`)).text];
  for (const { accessKey, secretKey, sessionToken } of sts.issued) {
    for (const secret of [accessKey, secretKey, sessionToken]) expect(texts.join()).not.toContain(secret);
  }
  // The service’s own keys are sent to STS only.
  expect(JSON.stringify(s3.history)).not.toContain(SERVICE_IDENTITY.accessKey);
});

test("another user cannot read the bucket with the same role", async () => {
  const { externalId } = await roleAccess(josiah);
  expect((await roleAccess(mallory)).externalId).not.toBe(externalId);
  sts.roles.set(ARN, { externalId });
  const access = { ...bucketOf("foreign"), externalId };
  s3.clearHistory();
  const { json: report } = await mallory.post("/submission/upload/s3check/report", access);
  expect(report).toMatchObject({ ok: false, message: expect.stringContaining("may not assume the role") });
  expect((await mallory.post("/submission/upload/s3preview", access)).json.code).toBe("role_denied");
  expect((await mallory.post("/submission/upload/s3metadata", access)).json.code).toBe("role_denied");
  const answer = await mallory.post("/submission/upload/s3upload", { metadata: goodMetadata, s3Access: access });
  expect([answer.status, answer.json.code]).toEqual([422, "source_check_failed"]);
  expect(sts.asked.at(-1)?.get("ExternalId")).toBe((await roleAccess(mallory)).externalId);
  expect(s3.history).toEqual([]);
});

test("a submission waits while the role does not trust the service, and resumes without other credentials", async () => {
  const { externalId } = await roleAccess(josiah);
  sts.roles.set(ARN, { externalId });
  const access = bucketOf("revoked");
  const revoke = s3.addFault({
    match: { bucket: "revoked", operation: "get", nth: 5 },
    fault: { run: () => void sts.roles.delete(ARN), status: 403, code: "AccessDenied" },
  });
  const { id } = await josiah.submit(access);
  const { waiting } = await josiah.until(id, ["waiting"]);
  expect(waiting).toMatchObject({
    code: "credentials_rejected",
    message: expect.stringContaining("may not assume the role"),
  });
  revoke();
  // The keys of a role are in the memory only. A restart forgets them, and the external id stays the same.
  await restart();
  sts.roles.set(ARN, { externalId });
  expect((await josiah.post(`/submission/${id}/credentials`, { s3Access: { roleArn: ARN } })).status).toBe(202);
  await josiah.until(id, ["completed"]);
});

test("a service without an identity refuses roles, and says so", async () => {
  const access = bucketOf("unconfigured");
  await restart({
    ACCESSION_STS_ENDPOINT: "",
    ACCESSION_STS_ACCESS_KEY: "",
    ACCESSION_STS_SECRET_KEY: "",
    ACCESSION_STS_PRINCIPAL: "",
  });
  expect(await roleAccess(josiah)).toBeNull();
  expect((await josiah.post("/submission/upload/s3preview", access)).json.code).toBe("roles_off");
});
