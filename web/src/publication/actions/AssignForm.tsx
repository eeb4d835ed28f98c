import { Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { curatorsQuery } from "../../api/publications.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { shortName } from "../Account.tsx";
import { ActionForm, type ActionFormProps, useActionForm } from "./ActionForm.tsx";
import "../words.ts";

/** Assigns the review to a curator, with suggestions, or removes the assignment. */
export function AssignForm({ publication, onDone, ...form }: ActionFormProps) {
  const { t } = useTranslation("publication");
  const { assignee, actions } = publication;
  const [curator, setCurator] = useState(assignee ?? "");
  const [isSent, setSent] = useState(false);
  const acting = useActionForm(publication, { onDone });
  // Only suggestions: the field also accepts the name of an account that the service does not know yet.
  const { data: curators = [] } = useQuery(curatorsQuery);
  const suggestions = useId();
  const name = curator.trim();
  const send = () => {
    setSent(true);
    if (name !== "") acting.send({ action: "assign", body: { curator: name } });
  };
  const remove = assignee !== null && (
    <BusyButton
      variant="default"
      isBusy={acting.isBusy}
      disabled={!actions.includes("assign")}
      onClick={() => acting.send({ action: "assign", body: { curator: null } })}
    >
      {t("assign.remove")}
    </BusyButton>
  );
  return (
    <ActionForm {...form} publication={publication} action="assign" acting={acting} beside={remove} onSend={send}>
      <Text>{t("assign.detail")}</Text>
      <TextInput
        label={t("assign.curator")}
        description={t("assign.curatorHint")}
        list={suggestions}
        value={curator}
        onChange={({ currentTarget }) => setCurator(currentTarget.value)}
        error={acting.fieldError("/curator") ?? (isSent && name === "" && t("assign.curatorRequired"))}
        maxLength={2_000}
        spellCheck={false}
        autoComplete="off"
        required
        data-autofocus
      />
      <datalist id={suggestions}>
        {curators.map(({ owner }) => (
          <option key={owner} value={owner} label={shortName(owner)} />
        ))}
      </datalist>
    </ActionForm>
  );
}
