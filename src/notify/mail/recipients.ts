import { recipientOf } from "../../db/notifications/mails.ts";
import { curatorAddress, publicationRecipient } from "../../db/notifications/publication-recipients.ts";
import { findAccessRequest } from "../../db/publication/access-requests.ts";
import { isCurator } from "../../db/publication/curators.ts";
import type { EventRow } from "../../db/submissions/events.ts";
import { findSubmission } from "../../db/submissions/submissions.ts";
import type { AreaRow } from "../../db/uploads/areas.ts";
import { fingerprintOf, openAddress } from "../../domain/sealed-address.ts";
import type { MailParty } from "../../domain/submission/mailed-events.ts";
import type { NotifyContext } from "../context.ts";

/** Maximum number of mails to an address within a day, so that the service cannot be used to flood a mailbox. */
const MOST_A_DAY = 100;
/** The same for addresses that the operator has configured, which many people share. */
const MOST_A_DAY_CONFIGURED = 1_000;

/** Why a mail is sent later. */
export const DAILY_LIMIT = "its address has reached the daily limit";

/** Where a mail is sent. */
export interface Recipients {
  /** Several only if the operator has configured several. */
  addresses: readonly string[];
  fingerprint: string;
  mostADay: number;
  /** Whether the operator has configured the addresses, so that no person who uses the dataset can correct them. */
  isConfigured: boolean;
  /** The account to which the address belongs; undefined if that is not known. */
  account: string | undefined;
}

/** What an event about a publication is about. */
export interface PublicationIn {
  dataset: string;
  version: number;
  /** The request for access. */
  request?: string;
  /** The curator to whom a review was assigned, and the one before. */
  curator?: string | null;
  former?: string | null;
  /** The DOI that is reserved. */
  doi?: string;
}

/** What an event states about a publication; undefined if it is about a submission. */
export function publicationIn({ data }: EventRow): PublicationIn | undefined {
  const found = (data ?? {}) as Partial<PublicationIn>;
  const { dataset, version } = found;
  return dataset === undefined || version === undefined ? undefined : { ...found, dataset, version };
}

/**
 * The recipients of a mail. Undefined if no address is known: the address was erased, or none was stated or configured. The
 * assigned curator takes the place of all curators, unless the account has lost the role.
 */
export async function recipientsOf(
  context: NotifyContext,
  { subject_id, party }: { subject_id: string; party: Exclude<MailParty, "uploader"> },
  publication: PublicationIn | undefined,
): Promise<Recipients | undefined> {
  const { db, vault, shared } = context;
  if (party === "submitter") {
    const found = await recipientOf(db, subject_id);
    const account = (await findSubmission(db, subject_id))?.owner;
    return found && one(openAddress(vault, subject_id, found), found.fingerprint, account);
  }
  if (party === "reader") {
    const { dataset = "", request = "" } = publication ?? {};
    const asked = await findAccessRequest(db, dataset, request);
    if (asked === undefined || asked.email === null) return undefined;
    return one(asked.email, fingerprintOf(vault, asked.email), asked.account ?? undefined);
  }
  if (party === "operator") return configured(context, shared.operators);
  if (publication === undefined) return undefined;
  if (party === "former_curator") return formerCurator(context, publication);
  const own = await publicationRecipient(db, publication.dataset, publication.version, party);
  const isFormer = own !== undefined && party === "curator" && !(await isCurator(db, context.signIn, own.account));
  if (own !== undefined && !isFormer) return one(openAddress(vault, own.account, own), own.fingerprint, own.account);
  return party === "curator" ? configured(context, shared.curators) : undefined;
}

/** The recipient of a mail about an upload; undefined if no address is known. */
export function uploaderOf({ vault }: NotifyContext, area: AreaRow): Recipients | undefined {
  const { id, owner, address, fingerprint } = area;
  if (address === null || fingerprint === null) return undefined;
  return one(openAddress(vault, id, { address }), fingerprint, owner);
}

/**
 * The address of the curator who reviewed the dataset before. If it is not known, all curators receive the mail, unless they
 * receive the one about the assignment, which names both.
 */
async function formerCurator(
  context: NotifyContext,
  { dataset, version, curator, former }: PublicationIn,
): Promise<Recipients | undefined> {
  const { db, vault, shared } = context;
  const own = former == null ? undefined : await curatorAddress(db, former);
  if (own !== undefined && former != null) return one(openAddress(vault, former, own), own.fingerprint, former);
  const isTold = curator != null && (await publicationRecipient(db, dataset, version, "curator")) === undefined;
  return isTold ? undefined : configured(context, shared.curators);
}

function one(address: string, fingerprint: string, account: string | undefined): Recipients {
  return { addresses: [address], fingerprint, mostADay: MOST_A_DAY, isConfigured: false, account };
}

function configured({ vault }: NotifyContext, addresses: readonly string[]): Recipients | undefined {
  if (addresses.length === 0) return undefined;
  const fingerprint = fingerprintOf(vault, addresses.join(","));
  return { addresses, fingerprint, mostADay: MOST_A_DAY_CONFIGURED, isConfigured: true, account: undefined };
}
