import { visible } from "./visible.ts";

/** What somebody else has named: as it is, with nothing hidden in it, and without turning what stands beside it around. */
export function Name({ children }: { children: string }) {
  return <bdi>{visible(children)}</bdi>;
}
