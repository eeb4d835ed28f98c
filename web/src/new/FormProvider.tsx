import { type ReactNode, useEffect } from "react";
import { FormContext } from "./form.ts";
import { testFindings } from "./tested.ts";
import { useConnection } from "./useConnection.ts";
import { useDraft } from "./useDraft.ts";
import { useFaults } from "./useFaults.ts";
import { usePlaces } from "./usePlaces.ts";
import { useSending } from "./useSending.ts";

interface Props {
  dataset: string | undefined;
  /** Where in the browser the draft lies. */
  place: string;
  /** The field to begin at, by its member of the request. */
  beginAt: string | undefined;
  /** Begins with an empty form. */
  onClear: () => void;
  children: ReactNode;
}

/** Holds what is written, and what is known of it, while one goes from part to part. */
export function FormProvider({ dataset, place, beginAt, onClear, children }: Props) {
  const { forget, ...written } = useDraft(place);
  const { draft, keys } = written;
  const { failure: untested, ...connection } = useConnection(dataset, draft.where, keys);
  const { failure, ...sending } = useSending(dataset, draft, keys, forget);
  const found = useFaults(draft, keys, testFindings(draft.where, connection), untested, failure);
  const places = usePlaces(draft.authors, beginAt);
  const send = () => (found.faults.length > 0 ? found.reveal() : sending.send());
  const clear = () => {
    forget();
    onClear();
  };
  const wrong = untested?.faults[0]?.pointer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refused test leads to its fault once.
  useEffect(() => {
    // Whoever has gone on to another part meanwhile is left there.
    if (wrong !== undefined && places.part === "where") places.goToField(wrong);
  }, [connection.error]);
  const form = { dataset, ...written, clear, ...found, ...places, connection, sending: { ...sending, send } };
  return <FormContext value={form}>{children}</FormContext>;
}
