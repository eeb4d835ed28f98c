import { type MailRow, recipientOf } from "../../db/notifications/mails.ts";
import { publicationRecipient } from "../../db/notifications/publication-recipients.ts";
import { findAccessRequest } from "../../db/publication/access-requests.ts";
import { fingerprintOf, openAddress } from "../../domain/sealed-address.ts";
import type { NotifyContext } from "../context.ts";

/** Maximum number of mails to an address within a day, so that the service cannot be used to flood a mailbox. */
const MOST_A_DAY = 100;
/** The same for addresses that the operator has configured, which many people share. */
const MOST_A_DAY_CONFIGURED = 1_000;

/** Where a mail is sent. */
export interface Recipients {
  /** Several only if the operator has configured several. */
  addresses: readonly string[];
  fingerprint: string;
  mostADay: number;
}

/**
 * The recipients of a mail. Undefined if no address is known: the address was erased, or none was stated or configured. The
 * assigned curator takes the place of all curators.
 */
export async function recipientsOf(
  context: NotifyContext,
  { submission_id, party }: MailRow,
  publication: { dataset: string; version: number; request?: string } | undefined,
): Promise<Recipients | undefined> {
  const { db, vault, shared } = context;
  if (party === "submitter") {
    const found = await recipientOf(db, submission_id);
    return found && one(openAddress(vault, submission_id, found), found.fingerprint);
  }
  if (party === "reader") {
    const { dataset = "", request = "" } = publication ?? {};
    const email = (await findAccessRequest(db, dataset, request))?.email;
    return email == null ? undefined : one(email, fingerprintOf(vault, email));
  }
  if (party === "operator") return configured(context, shared.operators);
  const own = publication && (await publicationRecipient(db, publication.dataset, publication.version, party));
  if (own !== undefined) return one(openAddress(vault, own.account, own), own.fingerprint);
  return party === "curator" ? configured(context, shared.curators) : undefined;
}

function one(address: string, fingerprint: string): Recipients {
  return { addresses: [address], fingerprint, mostADay: MOST_A_DAY };
}

function configured({ vault }: NotifyContext, addresses: readonly string[]): Recipients | undefined {
  if (addresses.length === 0) return undefined;
  return { addresses, fingerprint: fingerprintOf(vault, addresses.join(",")), mostADay: MOST_A_DAY_CONFIGURED };
}
