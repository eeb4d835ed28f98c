import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { S3Server } from "../../../../packages/s3-test-server/src/index.ts";
import {
  BUCKET,
  closedAfterTest,
  localEgress,
  neverAborted,
  problemOf,
  startTestS3Server,
} from "../../../../tests/support/data-source/source.ts";
import {
  answerWith,
  refuse,
  SERVICE_IDENTITY,
  type StsServer,
  startStsServer,
} from "../../../../tests/support/data-source/sts-server.ts";
import { type Code, Problem } from "../../../domain/problems.ts";
import { diagnose } from "../diagnosis/diagnose.ts";
import { listPage } from "../listing/listing.ts";
import { S3Bucket } from "../s3-bucket.ts";
import type { Egress } from "../transport/egress.ts";
import { RoleKeys } from "./role-keys.ts";

const ARN = "arn:aws:iam::123456789012:role/reader";
const EXTERNAL_ID = "id-of-josiah";
const role = { arn: ARN, externalId: EXTERNAL_ID };

interface Setup {
  s3: S3Server;
  sts: StsServer;
  egress: Egress;
  bucket: S3Bucket;
}

async function setUp(more: { endpoint?: string; secretKey?: string } = {}): Promise<Setup> {
  const s3 = closedAfterTest(await startTestS3Server());
  const sts = closedAfterTest(await startStsServer(s3));
  s3.put(BUCKET, "table.csv", "a,b\n1,2\n");
  sts.roles.set(ARN, { externalId: EXTERNAL_ID });
  const credentials = { ...SERVICE_IDENTITY, ...(more.secretKey && { secretKey: more.secretKey }) };
  const options = { endpoint: more.endpoint ?? sts.endpoint, region: "eu-central-1", credentials };
  const egress = closedAfterTest(localEgress({ sts: options }));
  return { s3, sts, egress, bucket: new S3Bucket({ endpoint: s3.endpoint, bucket: BUCKET, role }, egress) };
}

const list = (bucket: S3Bucket, signal = neverAborted) => listPage(bucket, { signal });
/** The requests to STS for keys. Each is followed by one with another external id, which must be refused. */
const issuedFor = ({ asked }: StsServer) => asked.filter((form) => form.get("ExternalId") === EXTERNAL_ID).length;

describe("a bucket is read with temporary keys of a role", () => {
  test("which are requested once, and concurrent requests share them", async () => {
    const { s3, sts, bucket } = await setUp();
    const pages = await Promise.all(Array.from({ length: 10 }, () => list(bucket)));
    expect(pages.map(({ objects }) => objects.length)).toEqual(Array.from({ length: 10 }, () => 1));
    expect(sts.asked.map((form) => Object.fromEntries(form))).toEqual([
      {
        Action: "AssumeRole",
        Version: "2011-06-15",
        RoleArn: ARN,
        RoleSessionName: "accession",
        DurationSeconds: "3600",
        ExternalId: EXTERNAL_ID,
      },
      expect.objectContaining({ RoleArn: ARN, ExternalId: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
    ]);
    const seen = JSON.stringify(s3.history);
    expect(seen).toContain(sts.issued[0]?.sessionToken);
    expect(seen).not.toContain(SERVICE_IDENTITY.accessKey);
  });

  const revoke = (s3: S3Server, keys: StsServer["issued"][number] | undefined) =>
    s3.addAccount({ ...(keys as StsServer["issued"][number]), expiresAt: new Date(0) });

  test("which are renewed if the server refuses them earlier, but not again and again", async () => {
    const { s3, sts, bucket } = await setUp();
    await list(bucket);
    revoke(s3, sts.issued[0]);
    expect((await list(bucket)).objects).toHaveLength(1);
    expect(issuedFor(sts)).toBe(2);
    s3.addFault({ fault: { status: 400, code: "ExpiredToken" } });
    for (let times = 0; times < 5; times++) expect((await problemOf(list(bucket))).code).toBe("credentials_expired");
    expect(issuedFor(sts)).toBe(2);
  });

  test.each([
    ["the sessions of the role were ended by a policy", 403, "AccessDenied"],
    ["the role was created again", 403, "InvalidAccessKeyId"],
  ])("which are renewed after %s", async (_, status, code) => {
    const { s3, sts, bucket } = await setUp();
    await list(bucket);
    s3.addFault({ match: { times: 1 }, fault: { status, code } });
    expect((await list(bucket)).objects).toHaveLength(1);
    expect(issuedFor(sts)).toBe(2);
  });

  test("which are renewed while an object is read", async () => {
    const { s3, sts, bucket } = await setUp();
    await list(bucket);
    const chunks: Buffer[] = [];
    revoke(s3, sts.issued[0]);
    const handler = { onHead: () => undefined, onData: (chunk: Buffer) => void chunks.push(Buffer.from(chunk)) };
    expect(await bucket.stream({ operation: "read", key: "table.csv", signal: neverAborted }, handler)).toBeUndefined();
    expect(Buffer.concat(chunks).toString()).toBe("a,b\n1,2\n");
    expect(issuedFor(sts)).toBe(2);
  });

  test("and an abort of one request leaves the request to STS to others", async () => {
    const { sts, bucket } = await setUp();
    let release: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      sts.answer = (response) => {
        release = () => refuse(response, 503, "ServiceUnavailable", "later");
        resolve();
      };
    });
    const stop = new AbortController();
    const reason = new Error("enough");
    const aborted = list(bucket, stop.signal).catch((error: unknown) => error);
    const other = problemOf(list(bucket));
    await asked;
    stop.abort(reason);
    expect(await aborted).toBe(reason);
    release();
    expect((await other).code).toBe("sts_unavailable");
  });
});

describe("temporary keys", () => {
  const HOUR = 3_600_000;
  const MINUTE = 60_000;

  /** The keys of a role, at a time that the test moves. */
  function keysAt() {
    const at = { now: 1_000, asked: 0, fault: undefined as Code | undefined };
    const sts = {
      async assume() {
        at.asked++;
        if (at.fault !== undefined) throw new Problem(at.fault);
        const credentials = { accessKey: `ASIA${at.asked}`, secretKey: "s", sessionToken: "t" };
        return { credentials, expiresAt: at.now + HOUR };
      },
      close: async () => undefined,
    };
    const keys = new RoleKeys(sts, () => at.now);
    /** The keys that a request gets. A renewal that it has begun has ended afterwards. */
    const current = async () => {
      const { accessKey } = await keys.of(role, neverAborted);
      await setImmediate();
      return accessKey;
    };
    return { at, current, keys };
  }

  test("are renewed ten minutes before they expire", async () => {
    const { at, current } = keysAt();
    expect(await current()).toBe("ASIA1");
    at.now += HOUR - 10 * MINUTE - 1;
    expect(await current()).toBe("ASIA1");
    at.now += 1;
    // Nothing waits for the renewal.
    expect([await current(), await current()]).toEqual(["ASIA1", "ASIA2"]);
  });

  test("are used until they expire while STS cannot be reached, which is asked twice a minute", async () => {
    const { at, current } = keysAt();
    await current();
    at.now += HOUR - 5 * MINUTE;
    at.fault = "sts_unavailable";
    expect([await current(), await current(), at.asked]).toEqual(["ASIA1", "ASIA1", 2]);
    at.now += MINUTE / 2;
    expect([await current(), at.asked]).toEqual(["ASIA1", 3]);
    at.now += 5 * MINUTE - MINUTE / 2 - 1;
    expect([await current(), at.asked]).toEqual(["ASIA1", 4]);
    at.now += 1;
    expect((await problemOf(current())).code).toBe("sts_unavailable");
    at.fault = undefined;
    expect(await current()).toBe("ASIA6");
  });

  test("are not used after the role has ceased to trust the service", async () => {
    const { at, current } = keysAt();
    await current();
    at.now += HOUR - MINUTE;
    at.fault = "role_denied";
    await current();
    expect((await problemOf(current())).code).toBe("role_denied");
  });

  test("are not requested for a request that was aborted before", async () => {
    const { at, keys } = keysAt();
    const reason = new Error("enough");
    await expect(keys.of(role, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(at.asked).toBe(0);
  });
});

describe("is not read", () => {
  test("with a role that anyone could assume through this service", async () => {
    const { s3, sts, bucket } = await setUp();
    sts.roles.set(ARN, {});
    expect((await problemOf(list(bucket))).code).toBe("role_unprotected");
    expect(s3.history).toEqual([]);
  });

  test("with a role that trusts another external id, or does not exist", async () => {
    const { s3, sts, egress, bucket } = await setUp();
    sts.roles.set(ARN, { externalId: "id-of-another-user" });
    const problem = await problemOf(list(bucket));
    expect([problem.code, problem.message]).toEqual([
      "role_denied",
      "This service may not assume the role (AccessDenied, HTTP 403)",
    ]);
    sts.roles.delete(ARN);
    const { report } = await diagnose(bucket.access, egress, { signal: neverAborted });
    const failed = report.steps.filter(({ status }) => status === "failed");
    expect(failed.map(({ name, code }) => [name, code])).toEqual([["signature", "role_denied"]]);
    expect(report.message).toContain("GET /caller");
    expect(s3.history).toEqual([]);
  });

  test("with a role that has no owner", async () => {
    const { sts, s3, egress } = await setUp();
    const bucket = new S3Bucket({ endpoint: s3.endpoint, bucket: BUCKET, role: { arn: ARN } }, egress);
    await expect(list(bucket)).rejects.toThrow("only assumed with the external id of an owner");
    expect(sts.asked).toEqual([]);
  });

  test("if the operator has configured no identity", async () => {
    const { s3, bucket } = await setUp();
    const egress = closedAfterTest(localEgress());
    expect((await problemOf(list(new S3Bucket(bucket.access, egress)))).code).toBe("roles_off");
    expect(s3.history).toEqual([]);
  });

  test("if the service’s own keys are wrong", async () => {
    const { bucket } = await setUp({ secretKey: "another-secret" });
    const problem = await problemOf(list(bucket));
    expect([problem.code, problem.fault]).toEqual(["sts_refused", "operator"]);
  });

  test("if STS cannot be reached", async () => {
    const { bucket } = await setUp({ endpoint: "http://127.0.0.1:1" });
    expect((await problemOf(list(bucket))).message).toContain("did not answer (ECONNREFUSED)");
  });

  const keys = { accessKey: "ASIA", secretKey: "s", sessionToken: "t" };
  const later = new Date(Date.now() + 3_600_000);
  test.each<[string, (response: Parameters<typeof refuse>[0]) => void, Code]>([
    [
      "a wrong time",
      (to) => refuse(to, 403, "SignatureDoesNotMatch", "Signature expired: 2026 is now"),
      "clock_skewed",
    ],
    ["a time to come", (to) => refuse(to, 403, "SignatureDoesNotMatch", "Signature not yet current"), "clock_skewed"],
    ["an expired identity", (to) => refuse(to, 403, "ExpiredToken", "The security token is expired"), "sts_refused"],
    ["a closed region", (to) => refuse(to, 403, "RegionDisabledException", ""), "sts_refused"],
    ["a missing role", (to) => refuse(to, 404, "NoSuchEntity", ""), "role_denied"],
    ["too many requests", (to) => refuse(to, 400, "Throttling", "Rate exceeded"), "sts_unavailable"],
    ["an error without a code", (to) => void to.writeHead(403).end("<html>"), "sts_unavailable"],
    ["a redirect", (to) => void to.writeHead(302, { location: "http://127.0.0.1:1/" }).end(), "sts_unavailable"],
    ["another document", (to) => void to.writeHead(200).end("<a><b>1</b></a>"), "sts_unavailable"],
    ["cut off XML", (to) => void to.writeHead(200).end(answerWith(keys, later).slice(0, 300)), "sts_unavailable"],
    ["a DOCTYPE", (to) => void to.writeHead(200).end(`<!DOCTYPE a>${answerWith(keys, later)}`), "sts_unavailable"],
    [
      "a huge answer",
      (to) => void to.writeHead(200).end(" ".repeat(1 << 20) + answerWith(keys, later)),
      "sts_unavailable",
    ],
    ["expired keys", (to) => void to.writeHead(200).end(answerWith(keys, new Date(0))), "sts_unavailable"],
    ["keys without a time", (to) => void to.writeHead(200).end(answerWith(keys, "soon")), "sts_unavailable"],
    [
      "keys with a line break",
      (to) => void to.writeHead(200).end(answerWith({ ...keys, sessionToken: "a&#10;b" }, later)),
      "sts_unavailable",
    ],
    ["a cut connection", (to) => void to.destroy(), "sts_unavailable"],
  ])("if STS answers with %s", async (_, answer, code) => {
    const { s3, sts, bucket } = await setUp();
    sts.answer = answer;
    const problem = await problemOf(list(bucket));
    expect(problem.code).toBe(code);
    expect(JSON.stringify([problem.message, problem.extra])).not.toMatch(/ASIA|AKSERVICE|Signature expired/);
    expect(s3.history).toEqual([]);
  });

  test("if the answer of STS never ends", { tags: "extended" }, async () => {
    const { sts, bucket } = await setUp();
    sts.answer = (response) => void response.writeHead(200).write("<AssumeRoleResponse>");
    expect((await problemOf(list(bucket))).message).toMatch(/did not answer (?:in time|\(UND_ERR_BODY_TIMEOUT\))/);
  });
});
