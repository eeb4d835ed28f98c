import { createHash, createHmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listed } from "../../../../tests/support/listed.ts";
import type { S3Credentials } from "../../../domain/source-access/access.ts";
import { encodeKey, encodeQuery, type Signable, sign, signerOf } from "./signer.ts";

/** The hash interface that AWS's signer needs; with a secret it is an HMAC. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHmac> | ReturnType<typeof createHash>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash("sha256") : createHmac("sha256", secret as string | Uint8Array);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

/** The Authorization header from AWS's own signer. */
async function oracle(request: Signable, { accessKey, secretKey, sessionToken }: S3Credentials): Promise<string> {
  const signer = new SignatureV4({
    service: "s3",
    region: request.region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey, ...(sessionToken && { sessionToken }) },
    sha256: Sha256,
    uriEscapePath: false,
  });
  const query: Record<string, string[]> = {};
  for (const [name, value] of request.query) query[name] = [...(query[name] ?? []), value];
  const signed = await signer.sign(
    {
      method: request.method,
      protocol: "https:",
      hostname: request.host,
      path: request.path,
      query,
      headers: { ...request.headers, host: request.host },
    },
    { signingDate: request.at },
  );
  return signed.headers.authorization ?? "";
}

const odd = fc.constantFrom(" ", ...listed`% | %2F | + | * | ' | ( | ) | ! | ~ | / | // | .. | . | & | = | ä | 🌱`);
const piece = fc.oneof(
  odd,
  fc.string({ unit: "binary", maxLength: 5 }).filter((text) => text.isWellFormed()),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
const printable = (minLength: number) =>
  fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)), minLength });
const header = fc.array(printable(1), { minLength: 1, maxLength: 3 }).map((words) => words.join("  "));

const request: fc.Arbitrary<Signable> = fc.record({
  method: fc.constantFrom("GET" as const, "HEAD" as const),
  host: fc.constantFrom("s3.example.org", "127.0.0.1:9000", "[::1]:9000", "bucket.s3.eu-west-1.amazonaws.com"),
  path: text.map((key) => `/bucket/${encodeKey(key)}`),
  // AWS's signer cannot process `__proto__` as the name of a parameter.
  query: fc
    .array(fc.tuple(text, text), { maxLength: 5 })
    .filter((members) => members.every(([name]) => name !== "__proto__")),
  headers: fc.dictionary(
    fc.constantFrom("range", "if-match", "x-amz-checksum-mode", "x-amz-a", "x-amz-a-b", "x-amz-request-payer"),
    header,
    { noNullPrototype: true },
  ),
  region: fc.constantFrom("us-east-1", "eu-central-1", "default", "garage"),
  at: fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true }),
});
const keys: fc.Arbitrary<S3Credentials> = fc.record(
  {
    accessKey: printable(1).filter((key) => !key.includes("/")),
    secretKey: printable(1),
    sessionToken: printable(1),
  },
  { requiredKeys: ["accessKey", "secretKey"] },
);

test("signs arbitrary requests like AWS’s own signer", async () => {
  await fc.assert(
    fc.asyncProperty(request, keys, async (asked, who) => {
      expect(sign(asked, who).authorization).toBe(await oracle(asked, who));
    }),
    { numRuns: 400 },
  );
});

test("derives a new key for another secret, day or region", async () => {
  const [asked] = fc.sample(request, { numRuns: 1, seed: 1 });
  if (asked === undefined) throw new Error("no sample");
  const who = { accessKey: "AK", secretKey: "one" };
  const others: [Signable, S3Credentials][] = [
    [asked, who],
    [asked, { ...who, secretKey: "two" }],
    [{ ...asked, region: "elsewhere" }, who],
    [{ ...asked, at: new Date("2031-05-06T07:08:09Z") }, who],
    [asked, who],
  ];
  const signatures = new Set<string | undefined>();
  for (const [what, by] of others) {
    const { authorization } = sign(what, by);
    expect(authorization).toBe(await oracle(what, by));
    signatures.add(authorization);
  }
  expect(signatures.size).toBe(4);
});

test("produces Amazon’s published example exactly", () => {
  // “Authenticating Requests: Using the Authorization Header”, GET Object.
  const headers = sign(
    {
      method: "GET",
      host: "examplebucket.s3.amazonaws.com",
      path: "/test.txt",
      query: [],
      headers: { range: "bytes=0-9" },
      region: "us-east-1",
      at: new Date("2013-05-24T00:00:00Z"),
    },
    { accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" },
  );
  expect(headers.authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, " +
      "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, " +
      "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  );
});

test("sends the query in the order in which it is signed, with all special bytes escaped", () => {
  expect(
    encodeQuery([
      ["prefix", "a b+ä/*"],
      ["list-type", "2"],
      ["b", "2"],
      ["b", "1"],
    ]),
  ).toBe("b=1&b=2&list-type=2&prefix=a%20b%2B%C3%A4%2F%2A");
  expect(encodeKey("/../a//b c(1)'~.txt")).toBe("/../a//b%20c%281%29%27~.txt");
});

test("a signature is the HMAC of its text, whatever was signed before", () => {
  const key = createHash("sha256").update("key").digest();
  const signer = signerOf(key);
  fc.assert(
    fc.property(fc.string({ unit: "binary-ascii", maxLength: 1_500 }), (text) => {
      expect(signer(text)).toBe(createHmac("sha256", key).update(text).digest("hex"));
    }),
  );
});
