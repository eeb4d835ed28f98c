import { findDataset, submissionOfVersion } from "../../db/datasets/datasets.ts";
import { recipientOf } from "../../db/notifications/mails.ts";
import {
  curatorAddress,
  publicationRecipient,
  removePublicationRecipient,
  savePublicationRecipient,
} from "../../db/notifications/publication-recipients.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { openAddress, sealAddress } from "../../domain/sealed-address.ts";
import type { IntakeContext } from "../../intake/context.ts";
import type { Party } from "../rules/states.ts";
import type { ActionRequest } from "./inputs.ts";

/** An action whose actor may be told about what follows. */
type Told = ActionRequest & {
  dataset: string;
  version: number;
  actor: { name: string; parties: readonly Party[] };
  /** The address of the actor, if known. */
  notify?: string | undefined;
};

/**
 * Stores where mails about a publication are sent. The owner’s address comes with the owner’s request for publication; without
 * one, it is that of the submission. The address of a curator is known if the curator has taken a review with a verified address;
 * otherwise the shared address of the curators is used.
 */
export async function keepRecipients(context: IntakeContext, trx: Trx, request: Told): Promise<void> {
  if (!context.sendsMail) return;
  if (request.action === "request") return keepOwner(context, trx, request);
  if (request.action === "assign") return keepCurator(context, trx, request);
}

async function keepOwner({ vault }: IntakeContext, trx: Trx, { actor, notify, dataset, version }: Told): Promise<void> {
  const owner = { dataset_id: dataset, version, party: "owner" } as const;
  const save = (account: string, address: string) =>
    savePublicationRecipient(trx, { ...owner, account, ...sealAddress(vault, account, address) });
  // An admin who requests publication for the owner does not receive the owner’s mail.
  if (actor.parties.includes("owner") && notify !== undefined) return save(actor.name, notify);
  if ((await publicationRecipient(trx, dataset, version, "owner")) !== undefined) return;
  const submission = await submissionOfVersion(trx, dataset, version);
  const found = submission && (await recipientOf(trx, submission.id));
  const account = (await findDataset(trx, dataset))?.owner;
  if (submission === undefined || found === undefined || account === undefined) return;
  await save(account, openAddress(vault, submission.id, found));
}

async function keepCurator(
  { vault }: IntakeContext,
  trx: Trx,
  { actor, notify, dataset, version, input }: Extract<Told, { action: "assign" }>,
): Promise<void> {
  const { curator: account } = input;
  const place = { dataset_id: dataset, version, party: "curator" } as const;
  const isSelf = account === actor.name && notify !== undefined;
  const known = isSelf
    ? sealAddress(vault, actor.name, notify)
    : account === null
      ? undefined
      : await curatorAddress(trx, account);
  // The former curator is told once more.
  const former = await publicationRecipient(trx, dataset, version, "curator");
  if (former !== undefined && former.account !== account) {
    await savePublicationRecipient(trx, { ...former, party: "former_curator" });
  }
  if (account === null || known === undefined) await removePublicationRecipient(trx, place);
  else await savePublicationRecipient(trx, { ...place, account, ...known });
}
