import type { Measured } from "../support/measure.ts";
import { isInstalled } from "../support/program.ts";
import type { Bucket } from "../support/source.ts";
import { ACCESSION, BEFORE, FLOOR, RCLONE, RCLONE_AND_SUM, RCLONE_UNCHECKED, S5CMD } from "../support/targets.ts";
import { runAccession } from "./accession.ts";
import { runFloor } from "./floor.ts";
import { runRclone, runSha512sum } from "./rclone.ts";
import { runS5cmd } from "./s5cmd.ts";

/** A program that reads a whole bucket into a new folder, which is removed afterwards. */
export interface Contestant {
  name: string;
  /** Runs only if it is named. */
  isExtra?: boolean;
  /** The measurements, by name. */
  run(bucket: Bucket, target: string): Promise<Record<string, Measured>>;
}

/**
 * Contestants that are available on this machine.
 * @param before folder of another built checkout, which is then a contestant, too
 */
export function contestants(before?: string): Contestant[] {
  const always: Contestant[] = [
    { name: ACCESSION, run: async (bucket, target) => ({ [ACCESSION]: await runAccession(bucket, target) }) },
    { name: RCLONE, run: runRcloneAndSum },
    {
      name: RCLONE_UNCHECKED,
      isExtra: true,
      run: async (bucket, target) => ({ [RCLONE_UNCHECKED]: await runRclone(bucket, target, "unchecked") }),
    },
    {
      name: FLOOR,
      // The floor neither trusts certificates nor repeats requests.
      run: async (bucket) => (bucket.workload.source === undefined ? { [FLOOR]: await runFloor(bucket) } : {}),
    },
  ];
  const s5cmd: Contestant = {
    name: S5CMD,
    run: async (bucket, target) => ({ [S5CMD]: await runS5cmd(bucket, target) }),
  };
  const earlier: Contestant = {
    name: BEFORE,
    run: async (bucket, target) => ({ [BEFORE]: await runAccession(bucket, target, before) }),
  };
  return [...always, ...(isInstalled(S5CMD) ? [s5cmd] : []), ...(before === undefined ? [] : [earlier])];
}

/** Returns two measurements of one copy: the copy alone, and the copy with digests of all files. */
async function runRcloneAndSum(bucket: Bucket, target: string): Promise<Record<string, Measured>> {
  const copy = await runRclone(bucket, target, "checked");
  const sum = await runSha512sum(target);
  return {
    [RCLONE]: copy,
    [RCLONE_AND_SUM]: {
      seconds: copy.seconds + sum.seconds,
      cpuSeconds: copy.cpuSeconds + sum.cpuSeconds,
      peakMib: Math.max(copy.peakMib, sum.peakMib),
    },
  };
}
