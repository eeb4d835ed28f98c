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

/** The pause after this number of consecutive failures, in milliseconds. @param failures from 1 on */
export function pauseAfter(failures: number, backOff: BackOff): number {
  const [least, most] = backOff.jitter ?? [1, 1];
  const pause =
    "pausesMs" in backOff
      ? (backOff.pausesMs[Math.min(failures, backOff.pausesMs.length) - 1] ?? 0)
      : Math.min(backOff.firstMs * (backOff.factor ?? 2) ** (failures - 1), backOff.longestMs);
  return pause * (least + (most - least) * Math.random());
}
