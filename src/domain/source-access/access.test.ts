import { describe, expect, test } from "vitest";
import { listed } from "../../../tests/support/listed.ts";
import { checkAccess } from "./access.ts";

const good = {
  endpoint: "https://s3.example.org",
  region: "eu-central-1",
  bucket: "barley-roots",
  accessKey: "AKIAIOSFODNN7EXAMPLE",
  secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

function codes(change: object): string[] {
  const { access, errors } = checkAccess({ ...good, ...change }, "");
  expect(access === undefined).toBe(errors.length > 0);
  return errors.map(({ pointer, code }) => `${code} ${pointer}`);
}

test("accepts good access and gives it back", () => {
  const { accessKey, secretKey, ...place } = good;
  const access = { ...place, credentials: { accessKey, secretKey } };
  expect(checkAccess(good)).toEqual({ access, errors: [], warnings: [] });
});

test("additional members of e!DAL’s client are accepted with a warning", () => {
  const { access, errors, warnings } = checkAccess({ ...good, region: "", validated: true, validationMsg: "x" });
  expect(errors).toEqual([]);
  expect(access).not.toHaveProperty("region");
  expect(access).not.toHaveProperty("validated");
  expect(warnings.map(({ pointer, code }) => `${code} ${pointer}`)).toEqual([
    "unknown_member /s3Access/validated",
    "unknown_member /s3Access/validationMsg",
  ]);
});

test("reports all errors together and quotes no key", () => {
  const { errors } = checkAccess({
    endpoint: "ftp://x",
    region: "a b",
    bucket: "..",
    accessKey: "hunter2 ",
    secretKey: "hunter2\r\n",
    sessionToken: 7,
    pathStyle: "yes",
  });
  expect(errors.map(({ pointer, code }) => `${code} ${pointer}`).sort()).toEqual([
    "access_key_invalid /s3Access/accessKey",
    "bucket_name_invalid /s3Access/bucket",
    "endpoint_invalid /s3Access/endpoint",
    "region_invalid /s3Access/region",
    "secret_key_invalid /s3Access/secretKey",
    "wrong_type /s3Access/pathStyle",
    "wrong_type /s3Access/sessionToken",
  ]);
  expect(JSON.stringify(errors)).not.toContain("hunter2");
});

test("a missing or empty access is refused", () => {
  expect(checkAccess(undefined).errors.map((it) => it.code)).toEqual(["required"]);
  expect(checkAccess("x").errors.map((it) => it.code)).toEqual(["wrong_type"]);
  expect(checkAccess({}, "").errors.map((it) => it.pointer)).toEqual([
    "/endpoint",
    "/bucket",
    "/accessKey",
    "/secretKey",
  ]);
});

describe("endpoints", () => {
  test.each([
    ["s3.example.org", "https://s3.example.org"],
    ["S3.Example.ORG/", "https://s3.example.org"],
    ["HTTP://localhost:9000/", "http://localhost:9000"],
    ["https://s3.example.org:443", "https://s3.example.org"],
    ["http://s3.example.org:443", "http://s3.example.org:443"],
    ["localhost:9000", "https://localhost:9000"],
    ["http://127.0.0.1:8000", "http://127.0.0.1:8000"],
    ["http://[::1]:9000", "http://[::1]:9000"],
    ["http://[0:0:0:0:0:0:0:1]", "http://[::1]"],
    ["http://minio_1:9000", "http://minio_1:9000"],
    ["https://example.org/ceph/v1/", "https://example.org/ceph/v1"],
    ["https://other-bucket.s3.example.org", "https://other-bucket.s3.example.org"],
    ["https://barley-roots.example.org", "https://barley-roots.example.org"],
    ["https://barley-roots.s3.local", "https://s3.local"],
  ])("%s means %s", (endpoint, expected) => {
    expect(checkAccess({ ...good, endpoint }).access?.endpoint).toBe(expected);
  });

  test.each([
    ...listed`
      ftp://s3.example.org | s3://barley-roots | file:///etc/passwd | http:/s3.example.org | http:s3.example.org
      https:// | https:///s3.example.org | //s3.example.org | https://user@s3.example.org
      https://user:pass@s3.example.org | https://s3.example.org@evil.example | https://s3.example.org?x=1
      https://s3.example.org#x | https://s3 example.org | https://s3.example.org:0 | https://s3.example.org:65536
      https://s3.example.org:99999 | https://s3.example.org:x | https://s3.example.org/a/../b
      https://s3.example.org/./b | https://s3.example.org//b | https://s3.example.org/%2e%2e
      https://s3%2eexample.org | https://127.1 | https://2130706433 | https://0x7f.0.0.1 | https://0177.0.0.1
      https://１２７.０.０.１ | https://köln.example | https://256.1.1.1 | https://[::1 | https://[fe80::1%25eth0]
      https://-a.example | https://a..example
    `,
    ...["https://s3.example.org\\@evil.example", "https://s3.example.org\r\nHost: evil.example"],
    ...["https://s3.example.org\n", " https://s3.example.org", `https://${"a".repeat(64)}.example`],
  ])("%j is refused", (endpoint) => {
    expect(codes({ endpoint })).toEqual(["endpoint_invalid /endpoint"]);
  });

  test.each([
    "https://s3.example.org/barley-roots",
    "https://barley-roots.s3.example.org/",
    "barley-roots.s3.example.org/barley-roots/",
  ])("the bucket is removed from %s with a warning", (endpoint) => {
    const { access, warnings } = checkAccess({ ...good, endpoint }, "");
    expect(access?.endpoint).toBe("https://s3.example.org");
    expect(warnings).toEqual([expect.objectContaining({ pointer: "/endpoint", code: "bucket_in_endpoint" })]);
  });

  test("regional host names of AWS are recognised", () => {
    const endpoint = "https://barley-roots.s3-eu-west-1.amazonaws.com";
    expect(checkAccess({ ...good, endpoint }).access?.endpoint).toBe("https://s3-eu-west-1.amazonaws.com");
  });
});

describe("buckets", () => {
  test.each([
    ...["abc", "a.b-c", "0-1", "a".repeat(63), "ab", "a".repeat(255), "Barley", "lab_Data_2026", "a..b", "-ab", "ab-"],
    ...[".ab", "tenant:bucket", "a b", "bücket", "a@b", "$system", "麦".repeat(85)],
  ])("%s is accepted, because some servers have such buckets", (bucket) => {
    expect(codes({ bucket })).toEqual([]);
  });

  test.each([
    ...listed`.. | . | 192.168.5.4 | a/b | ../x | a%2fb | a?b | a#b | * | a*b | a{b}`,
    ...["a\\b", "abc\n", " abc", "abc ", "a\u2028b"],
    ...["arn:aws:s3:::barley", "s3://barley", "s3:barley", "x".repeat(10_000), "麦".repeat(86)],
  ])("%j is not the name of a bucket", (bucket) => {
    expect(codes({ bucket })).toEqual(["bucket_name_invalid /bucket"]);
  });

  test.each(["s3.amazonaws.com", "s3.eu-central-1.amazonaws.com", "s3.cn-north-1.amazonaws.com.cn"])(
    "at %s have names that Amazon accepts or has accepted",
    (endpoint) => {
      for (const bucket of ["abc", "Barley_2009", "a".repeat(255)]) expect(codes({ endpoint, bucket })).toEqual([]);
      for (const bucket of ["ab", "tenant:bucket", "a b", "bücket"]) {
        expect([bucket, codes({ endpoint, bucket })]).toEqual([bucket, ["bucket_name_invalid /bucket"]]);
      }
    },
  );

  test.each(["Barley", "a_b", "tenant:bucket", "ab", "a..b"])("%s is not addressed in the host name", (bucket) => {
    expect(codes({ bucket, pathStyle: false })).toEqual(["bucket_name_invalid /bucket"]);
  });
});

describe("a role", () => {
  const arn = "arn:aws:iam::123456789012:role/reader";
  const asRole = (roleArn: unknown, more: object = {}) => codes({ accessKey: "", secretKey: "", roleArn, ...more });

  test("replaces the keys", () => {
    expect(asRole(arn)).toEqual([]);
    expect(asRole(arn, { requesterPays: true })).toEqual([]);
    expect(codes({ roleArn: arn })).toEqual(["keys_not_wanted /accessKey", "keys_not_wanted /secretKey"]);
    expect(asRole(arn, { anonymous: true })).toEqual(["keys_not_wanted /roleArn"]);
    expect(asRole(7)).toContain("wrong_type /roleArn");
  });

  test.each([
    ...["arn:aws-cn:iam::1:role/path/to/a+b=c,d.e@f-g", "arn:aws:iam:::role/ceph", "arn:aws:iam::tenant:role/r"],
  ])("%s is accepted", (other) => expect(asRole(other)).toEqual([]));

  test.each([
    ...["reader", "arn:aws:iam::1:user/a", "arn:aws:iam::1:role/", "arn:aws:iam::1:role/a b", "arn:aws:iam::1:role/ä"],
    ...[`arn:aws:iam::1:role/${"a".repeat(513)}`, "arn:aws:iam::1:role/a&Action=x", "arn:aws:s3:::bucket"],
  ])("%s is refused", (other) => expect(asRole(other)).toEqual(["role_invalid /roleArn"]));
});

describe("keys", () => {
  test("are required if the requester pays", () => {
    expect(codes({ requesterPays: true })).toEqual([]);
    expect(codes({ requesterPays: "yes" })).toEqual(["wrong_type /requesterPays"]);
    expect(codes({ accessKey: "", secretKey: "", anonymous: true, requesterPays: true })).toEqual([
      "requester_unknown /requesterPays",
    ]);
  });

  test("both are required unless the access is anonymous, and then neither is allowed", () => {
    expect(codes({ accessKey: "" })).toEqual(["required /accessKey"]);
    expect(codes({ secretKey: null })).toEqual(["required /secretKey"]);
    expect(codes({ accessKey: "", secretKey: "", anonymous: true })).toEqual([]);
    expect(codes({ sessionToken: "x", anonymous: true })).toEqual([
      "keys_not_wanted /accessKey",
      "keys_not_wanted /secretKey",
      "keys_not_wanted /sessionToken",
    ]);
  });

  test.each([
    ["accessKey", "access_key_invalid", ["a/b", "a b", "a\r\nX: y", "ä", "a".repeat(257), "\u007f"]],
    ["secretKey", "secret_key_invalid", [" a", "a ", "a\nb", "a\tb", "ä", "a".repeat(1_025)]],
    ["sessionToken", "session_token_invalid", ["a b", "a\r\nb", "ä", "a".repeat(16_385)]],
    ["region", "region_invalid", ["eu/central", "a\r\nb", "a@b", "../x", "a".repeat(65), "a_b", " "]],
  ])("%s is refused as %s for %j", (name, code, values) => {
    for (const value of values) expect(codes({ [name]: value }), JSON.stringify(value)).toEqual([`${code} /${name}`]);
  });

  test("values of the maximum length are accepted", () => {
    const longest = {
      accessKey: "a".repeat(256),
      secretKey: "a b".padEnd(1_024, "+"),
      sessionToken: "a".repeat(16_384),
    };
    expect(codes({ ...longest, region: "a".repeat(64) })).toEqual([]);
  });
});
