/** How long to wait after repeated failures, in milliseconds. */
export type BackOff = {
  /**
   * The pause is multiplied by a random number between these, so that what failed together is not tried again together.
   * Default: always 1.
   */
  jitter?: readonly [least: number, most: number];
} & (
  | {
      /** After the first failure. Each further pause is `factor` (default 2) times as long, up to the longest one. */
      firstMs: number;
      factor?: number;
      longestMs: number;
    }
  | {
      /** After the first failure, the second failure, and so on; the last one is repeated. */
      pausesMs: readonly number[];
    }
);

/** The pauses of the service, by what is tried again. */
export const BACK_OFFS = {
  /** A request to a bucket. */
  sourceRequest: { firstMs: 400, longestMs: 10_000, jitter: [0.5, 1] },
  job: { firstMs: 1_000, longestMs: 60_000 },
  /** A request to DataCite, or another part of a publication. */
  publication: {
    pausesMs: [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 300_000, 900_000],
    jitter: [0.8, 1.2],
  },
  /** A webhook or an e-mail. */
  delivery: {
    pausesMs: [2_000, 10_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000],
    jitter: [0.75, 1.25],
  },
} as const satisfies Record<string, BackOff>;

/** The pause after this number of consecutive failures, in milliseconds. @param failures from 1 on */
export function pauseAfter(failures: number, backOff: BackOff): number {
  const [least, most] = backOff.jitter ?? [1, 1];
  const pause =
    "pausesMs" in backOff
      ? (backOff.pausesMs[Math.min(failures, backOff.pausesMs.length) - 1] ?? 0)
      : Math.min(backOff.firstMs * (backOff.factor ?? 2) ** (failures - 1), backOff.longestMs);
  return pause * (least + (most - least) * Math.random());
}
