import { Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AccessFields } from "./AccessFields.tsx";
import { ActionForm, type ActionFormProps, useActionForm } from "./ActionForm.tsx";
import { bodyOf, choiceOf, mistakesIn } from "./access-choice.ts";

/** Changes who may read the files of a published version. A reason is required. */
export function AccessForm({ publication, onDone, ...form }: ActionFormProps) {
  const { t } = useTranslation("publication");
  // The earlier reason is not the one of this change.
  const [choice, setChoice] = useState({ ...choiceOf(publication), reason: "" });
  const [isSent, setSent] = useState(false);
  const acting = useActionForm(publication, { onDone });
  const send = () => {
    setSent(true);
    if (mistakesIn(choice, true).length > 0) return;
    acting.send({ action: "change-access", body: bodyOf(choice) });
  };
  return (
    <ActionForm {...form} publication={publication} action="change-access" acting={acting} onSend={send}>
      <Text>{t("changeAccess.detail")}</Text>
      <AccessFields choice={choice} onChange={setChoice} isChange isSent={isSent} fieldError={acting.fieldError} />
    </ActionForm>
  );
}
