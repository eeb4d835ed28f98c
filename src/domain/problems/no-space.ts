import { size } from "../numbers.ts";
import { Problem } from "../problems.ts";

/**
 * The problem `no_space`, with what is needed, what is free, and what stays free.
 * @param what the beginning of the sentence: “The dataset needs”
 * @param needed in bytes, as are the others
 * @param space.free without the reserve; negative if less than the reserve is free
 * @param space.of in the sentence, what has the space
 * @param space.isLimited whether the reserve has a limit, so that the operator's setting is not its cause
 */
export function noSpace(
  what: string,
  needed: number,
  {
    free,
    reserve,
    of = "the archive",
    isLimited = false,
  }: { free: number; reserve: number; of?: string; isLimited?: boolean },
): Problem {
  const keeps = isLimited ? "The service" : "ACCESSION_DISK_RESERVE";
  const kept = reserve > 0 ? `. ${keeps} keeps another ${size(reserve)} free` : "";
  return new Problem(
    "no_space",
    `${what} ${size(needed)}; ${of} has ${size(Math.max(0, free))} of free space for it${kept}`,
  );
}
