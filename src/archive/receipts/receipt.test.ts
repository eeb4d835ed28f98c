import { appendFile, chmod, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HEAD, sha512, withFolder, writeObject } from "../../../packages/ocfl/tests/support/write-object.ts";
import { makeStorageRoot, objectFolder } from "../layout.ts";
import { deletionVerdict, type Receipt, truncateReceipt } from "./receipt.ts";
import { checkReceiptAgainst } from "./receipt-check.ts";
import { loadSigningKey, makeSigningKey, type SigningKey, signReceipt, verifyReceipt } from "./signing.ts";

const VERIFIED = { checksum: 2, md5: 1, "md5-parts": 0, length: 0 };
const MANIFEST = "metadata/source-manifest.jsonl";
const jwksOf = (...keys: SigningKey[]) => ({ keys: keys.map(({ publicJwk }) => publicJwk) });

function receipt(inventory = sha512("i"), manifest = sha512("m")): Receipt {
  return truncateReceipt({
    submission: { id: "s", attempt: 1 },
    dataset: { id: HEAD.id.slice("urn:uuid:".length), version: 1, identifier: HEAD.id },
    title: "Ünïcode 😀",
    source: { endpoint: "https://s3.example.org", region: null, bucket: "b", selection: {} },
    counts: { listed: 3, stored: 3, excluded: 0 },
    bytes: 5,
    verified: VERIFIED,
    exclusions: [],
    drift: [],
    digests: {
      sourceManifest: { path: MANIFEST, sha512: manifest },
      inventory: { path: "v1/inventory.json", sha512: inventory },
    },
    firstReadAt: "2026-11-20T09:00:00Z",
    lastReadAt: "2026-11-20T10:00:00Z",
    issuedAt: "2026-11-20T10:00:01Z",
    issuer: { publisher: "P", url: "https://archive.example.org" },
    ...deletionVerdict({ excluded: 0, drifted: 0, verified: VERIFIED }),
  });
}

test("a signed receipt is verified with its JWKS, including retired keys", async () => {
  const [old, present] = [await makeSigningKey(), await makeSigningKey()];
  const jwks = jwksOf(present, old);
  expect(JSON.stringify(jwks)).not.toContain('"d"');
  const jws = await signReceipt(receipt(), old);
  expect(JSON.parse(Buffer.from(jws.split(".")[0] ?? "", "base64url").toString())).toEqual({
    alg: "EdDSA",
    kid: old.kid,
    typ: "accession-receipt+jws",
  });
  expect(await verifyReceipt(`${jws}\n`, jwks)).toEqual({
    ok: true,
    signer: "established",
    kid: old.kid,
    receipt: receipt(),
  });
  expect(await verifyReceipt(jws, undefined)).toMatchObject({ ok: true, signer: "not established" });
});

test("a changed receipt, an unknown key and a text that is not a receipt have different errors", async () => {
  const key = await makeSigningKey();
  const jws = await signReceipt(receipt(), key);
  const [header, payload, signature] = jws.split(".");
  const other = Buffer.from(JSON.stringify({ ...receipt(), bytes: 6 })).toString("base64url");
  const jwks = jwksOf(key);
  expect(await verifyReceipt([header, other, signature].join("."), jwks)).toEqual({
    ok: false,
    detail: "The receipt was changed after it was signed",
  });
  expect(await verifyReceipt(jws, jwksOf(await makeSigningKey()))).toMatchObject({ ok: false });
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "accession-receipt+jws", kid: key.kid }));
  for (const text of ["", "x", "a.b.c", `${none.toString("base64url")}.${payload}.`, `${header}.${payload}.`]) {
    expect(await verifyReceipt(text, jwks), text).toMatchObject({ ok: false });
    expect(await verifyReceipt(text, undefined), text).toMatchObject({ ok: false });
  }
});

test("a key file is created once and readable by its owner only; other files are refused", async () => {
  await withFolder(async (folder) => {
    const file = join(folder, "keys", "signing.key");
    await expect(loadSigningKey(file)).rejects.toThrow("does not exist");
    const made = await loadSigningKey(file, { make: true });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await loadSigningKey(file)).kid).toBe(made.kid);
    await chmod(file, 0o644);
    await expect(loadSigningKey(file)).rejects.toThrow("read by other users");
    await chmod(file, 0o600);
    await writeFile(file, '{"kty":"OKP","d":"secret"');
    const failure = await loadSigningKey(file).catch((error: unknown) => error as Error);
    expect(String(failure)).toContain("private Ed25519 key");
    expect(String(failure)).not.toContain("secret");
  });
});

test("the source may be deleted only if every file is verified and nothing was excluded or drifted", () => {
  const sure = { excluded: 0, drifted: 0, verified: VERIFIED };
  const yes = deletionVerdict(sure);
  expect(yes.sourceMayBeDeleted).toBe("yes");
  const doubts: [Parameters<typeof deletionVerdict>[0], string][] = [
    [{ ...sure, excluded: 1 }, "1 object was excluded"],
    [{ ...sure, drifted: 2 }, "2 objects changed, vanished or appeared"],
    [{ ...sure, verified: { ...VERIFIED, length: 3 } }, "3 files were verified by their length alone"],
  ];
  for (const [found, reason] of doubts) {
    const no = deletionVerdict(found);
    expect(no.sourceMayBeDeleted).toBe("no");
    expect(no.statement).toContain(reason);
  }
  for (const { statement } of [yes, deletionVerdict({ ...sure, excluded: 1 })]) {
    expect(statement).toContain("Only current object versions were read, and this archive holds one copy.");
  }
});

test.each([
  [{ prefix: "plots/" }, "keys that begin with “plots/”"],
  [
    { include: ["a*", "b*", "c*", "d*"], exclude: ["**.tmp"] },
    "keys that match “a*” or “b*” or “c*” or 1 more and do not match “**.tmp”",
  ],
])("for a selected part of a bucket, the statement covers only that part", (selection, part) => {
  const { sourceMayBeDeleted, statement } = deletionVerdict({ excluded: 0, drifted: 0, verified: VERIFIED, selection });
  expect(sourceMayBeDeleted).toBe("yes");
  expect(statement).toMatch(/^Every selected object was stored/);
  expect(statement).toContain(`Only a part of the bucket was selected (${part}). No other objects were read.`);
});

test("a receipt names 1,000 exclusions and counts all", () => {
  const exclusions = Array.from({ length: 1_500 }, (_, n) => ({
    key: `${n}`,
    path: `data/${n}`,
    reason: "r",
    code: "c",
  }));
  const bounded = truncateReceipt({ ...receipt(), exclusions, counts: { listed: 1_500, stored: 0, excluded: 1_500 } });
  expect(bounded.exclusions).toHaveLength(1_000);
  expect(bounded.exclusionsTotal).toBe(1_500);
});

test("a receipt is compared with its archive", async () => {
  await withFolder(async (archive) => {
    await makeStorageRoot(join(archive, "ocfl"));
    const object = join(archive, "ocfl", objectFolder(HEAD.id));
    const missing = await checkReceiptAgainst(receipt(), archive);
    expect(missing.map(({ code }) => code)).toEqual(["dataset_missing"]);

    const written = await writeObject(object, { "data/a": "a", [MANIFEST]: "m" }, join(archive, "scratch"));
    const own = receipt(written.sha512);
    expect(await checkReceiptAgainst(own, archive)).toEqual([]);

    const codes = async (given = own) => (await checkReceiptAgainst(given, archive)).map(({ code }) => code);
    expect(await codes(receipt(sha512("other")))).toEqual(["inventory_changed", "sidecar_changed"]);
    await appendFile(join(object, "v1/content", MANIFEST), "x");
    expect(await codes()).toEqual(["manifest_changed"]);
    await rm(join(object, "v1/content", MANIFEST));
    expect(await codes()).toEqual(["manifest_missing"]);
    await rm(join(object, "v1/inventory.json"));
    expect(await codes()).toEqual(["inventory_missing"]);
    const odd = { ...own, dataset: { ...own.dataset, identifier: "../../x" } };
    expect(await codes(odd)).toEqual(["receipt_invalid"]);
  });
});
