/**
 * Who shares the workers with whom: work of one owner on one endpoint has one share, however many submissions it is.
 * An endpoint that answers slowly then keeps nobody's workers but those of its own share.
 */
export function shareOf({ owner, endpoint }: { owner: string; endpoint: string }): string {
  return `${owner} ${endpoint}`;
}
