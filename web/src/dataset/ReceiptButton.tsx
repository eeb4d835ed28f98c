import IconCertificate from "@tabler/icons-react/dist/esm/icons/IconCertificate.mjs";
import { useMutation } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { receiptQuery } from "../api/receipt.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { saveText } from "./save.ts";

/** Saves the signed receipt of a submission. */
export function ReceiptButton({ submission, words }: { submission: string; words: string }) {
  const save = useMutation({
    mutationFn: async () => {
      const { jws } = await queries.fetchQuery(receiptQuery(submission));
      saveText(jws, `receipt-${submission}.jws`, "application/jose");
    },
  });
  return (
    <>
      <BusyButton
        variant="default"
        leftSection={<IconCertificate size={18} aria-hidden />}
        isBusy={save.isPending}
        onClick={() => save.mutate()}
        style={{ alignSelf: "flex-start" }}
      >
        {words}
      </BusyButton>
      {save.error !== null && <ProblemAlert error={save.error} />}
    </>
  );
}
