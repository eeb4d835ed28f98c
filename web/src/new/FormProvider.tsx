import type { ReactNode } from "react";
import { FormContext } from "./form.ts";
import { useConnection } from "./useConnection.ts";
import { useDraft } from "./useDraft.ts";
import { useFaults } from "./useFaults.ts";
import { usePlaces } from "./usePlaces.ts";
import { useSending } from "./useSending.ts";

/** Holds what is written, and what is known of it, while one goes from part to part. */
export function FormProvider({ dataset, children }: { dataset: string | undefined; children: ReactNode }) {
  const written = useDraft(dataset);
  const { draft, keys } = written;
  const connection = useConnection(draft.where, keys);
  const { failure, ...sending } = useSending(dataset, draft, keys, written.forget);
  const found = useFaults(draft, keys, connection.failure, failure);
  const places = usePlaces(draft.authors);
  const send = () => (found.faults.length > 0 ? found.reveal() : sending.send());
  return (
    <FormContext value={{ dataset, ...written, ...found, ...places, connection, sending: { ...sending, send } }}>
      {children}
    </FormContext>
  );
}
