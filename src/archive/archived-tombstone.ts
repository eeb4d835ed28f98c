import type { JSONWebKeySet } from "jose";
import { Type } from "typebox";
import { readReceipt } from "./archived-package.ts";
import { Time } from "./logs.ts";
import { readJsonOf } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";
import type { Receipt } from "./receipt.ts";
import type { Tombstone } from "./tombstone.ts";
import { Unsound } from "./unsound.ts";

const Form = Type.Object({
  dataset: Type.Object({
    id: Type.String(),
    identifier: Type.String(),
    owner: Type.Optional(Type.String()),
    title: Type.String(),
    createdAt: Time,
  }),
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      submission: Type.String(),
      acceptedAt: Type.Optional(Time),
      publishedAt: Time,
      objects: Type.Integer(),
      bytes: Type.Integer(),
    }),
    { minItems: 1 },
  ),
  withdrawn: Type.Object({ at: Time, by: Type.String(), reason: Type.String() }),
});

/** What stays of a withdrawn dataset; the receipts in the order of `tombstone.versions`. */
export interface ArchivedTombstone {
  tombstone: Tombstone;
  receipts: { jws: string; receipt: Receipt }[];
}

/** Reads a tombstone with its receipts, whose signatures hold. @throws Unsound that names what does not */
export async function openTombstone(
  reader: ArchiveReader,
  datasetId: string,
  keys: JSONWebKeySet,
): Promise<ArchivedTombstone> {
  const folder = `withdrawn/${datasetId}`;
  const tombstone: Tombstone = await readJsonOf(Form, reader, `${folder}/tombstone.json`);
  if (tombstone.dataset.id !== datasetId) throw new Unsound(`${folder}/tombstone.json is of another dataset`);
  const receipts: ArchivedTombstone["receipts"] = [];
  for (const { version, submission } of tombstone.versions) {
    const path = `${folder}/logs/v${version}/receipt.jws`;
    const found = await readReceipt(reader, path, keys);
    const { receipt } = found;
    if (receipt.dataset.id !== datasetId || receipt.submission.id !== submission) {
      throw new Unsound(`${path} is of another dataset or submission`);
    }
    receipts.push(found);
  }
  return { tombstone, receipts };
}
