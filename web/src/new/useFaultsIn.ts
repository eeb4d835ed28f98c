import type { Fault } from "./faults.ts";
import { useForm } from "./form.ts";
import { type Part, partOf } from "./parts.ts";

/** What is to be done yet in a part; for the last one, in all of them. */
export function useFaultsIn(part: Part): readonly Fault[] {
  const { faults } = useForm();
  return part === "review" ? faults : faults.filter(({ pointer }) => partOf(pointer) === part);
}
