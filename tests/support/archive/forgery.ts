import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Receipt } from "../../../src/archive/receipts/receipt.ts";
import { makeSigningKey, receiptOf, type SigningKey, signReceipt } from "../../../src/archive/receipts/signing.ts";

/** The files of one archived dataset, wherever they are stored. Paths are relative to the OCFL object. */
export interface ObjectFiles {
  read(path: string): Promise<Buffer>;
  write(path: string, content: string | Buffer): Promise<void>;
}

/** An object in a folder. */
export function filesIn(folder: string): ObjectFiles {
  return {
    read: (path) => readFile(join(folder, path)),
    write: (path, content) => writeFile(join(folder, path), content),
  };
}

const digestOf = (content: string | Buffer) => createHash("sha512").update(content).digest("hex");

/**
 * Replaces the bytes of a content file and every statement about them: the digest in the inventory of the object and of
 * each of these versions, and the sidecars. By the rules of OCFL the object is valid afterwards.
 */
export async function forgeContent(object: ObjectFiles, path: string, versions: readonly string[]): Promise<void> {
  const old = await object.read(path);
  const forged = Buffer.from(old.map((byte) => byte ^ 1));
  await object.write(path, forged);
  for (const inventory of ["inventory.json", ...versions.map((version) => `${version}/inventory.json`)]) {
    const text = (await object.read(inventory)).toString();
    const changed = text.replaceAll(digestOf(old), digestOf(forged));
    if (changed === text) throw new Error(`${inventory} does not name ${path}`);
    await object.write(inventory, changed);
    await object.write(`${inventory}.sha512`, `${digestOf(changed)} inventory.json\n`);
  }
}

/**
 * Replaces the receipt of a version by one that names the present inventory and is signed by another key, and corrects
 * the manifest of the logs.
 *
 * @param change what else the receipt says
 * @param otherKey default: a new one
 * @returns the other key, as a public JWK
 */
export async function forgeReceipt(
  object: ObjectFiles,
  version: string,
  change: (receipt: Receipt) => void = () => undefined,
  otherKey?: SigningKey,
): Promise<object> {
  const key = otherKey ?? (await makeSigningKey());
  const path = `logs/${version}/receipt.jws`;
  const old = (await object.read(path)).toString();
  const receipt = receiptOf(old);
  receipt.digests.inventory.sha512 = digestOf(await object.read(`${version}/inventory.json`));
  change(receipt);
  const forged = `${await signReceipt(receipt, key)}\n`;
  await object.write(path, forged);
  const manifest = `logs/${version}/manifest-sha512.txt`;
  const text = (await object.read(manifest)).toString();
  await object.write(manifest, text.replace(digestOf(old), digestOf(forged)));
  return key.publicJwk;
}
