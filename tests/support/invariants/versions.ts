import type { Receipt, Submission } from "./objects.ts";
import type { Findings } from "./observed-run.ts";
import type { Dataset, Version } from "./ocfl.ts";

/**
 * Checks what a version states about earlier ones: unread objects were verified in the version that it names, and the
 * receipt has the right numbers of added, changed, removed and kept objects.
 */
export function checkChanges(
  submission: Submission,
  { versions }: Dataset,
  receipt: Receipt,
  findings: Findings,
): void {
  const number = submission.dataset?.version ?? 0;
  const whole = (holds: boolean, detail: string) =>
    findings.expect(holds, "completed is complete", `${submission.id}: ${detail}`);
  whole(receipt.dataset.version === number, `the receipt names version ${receipt.dataset.version}`);
  const now = digestsOf(versions.get(number));
  const before = digestsOf(versions.get(number - 1));
  let notRead = 0;
  for (const { key, sha512, verifiedIn } of versions.get(number)?.manifest ?? []) {
    if (verifiedIn === undefined) continue;
    notRead++;
    const then = versions.get(verifiedIn)?.manifest.find((line) => line.key === key);
    const wasRead = verifiedIn < number && then?.sha512 === sha512 && then?.verifiedIn === undefined;
    whole(wasRead, `${JSON.stringify(key.slice(0, 80))} was not verified in version ${verifiedIn}`);
  }
  if (number === 1) {
    whole(receipt.changes === undefined && notRead === 0, "a first version refers to an earlier one");
    return;
  }
  const keys = [...now.keys()];
  const kept = keys.filter((key) => before.get(key) === now.get(key)).length;
  const added = keys.filter((key) => !before.has(key)).length;
  const counted = {
    since: number - 1,
    added,
    changed: now.size - kept - added,
    removed: [...before.keys()].filter((key) => !now.has(key)).length,
    kept: { total: kept, notRead },
  };
  const { changes } = receipt;
  const claimed = changes && {
    since: changes.since,
    added: changes.added.total,
    changed: changes.changed.total,
    removed: changes.removed.total,
    kept: changes.kept,
  };
  whole(JSON.stringify(claimed) === JSON.stringify(counted), `the receipt claims ${JSON.stringify(claimed)}`);
}

function digestsOf(version: Version | undefined): Map<string, string | undefined> {
  const stored = version?.manifest.filter(({ excluded }) => excluded === undefined) ?? [];
  return new Map(stored.map(({ key, sha512 }) => [key, sha512]));
}
