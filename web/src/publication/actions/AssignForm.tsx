import { NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { curatorsQuery } from "../../api/publications.ts";
import { useCaller } from "../../api/service.ts";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { shortName } from "../Account.tsx";
import "../words.ts";
import { ActionForm, type ActionFormProps, useActionForm } from "./ActionForm.tsx";

/** Assigns the review to another one of the curators, the user first, or removes the assignment. */
export function AssignForm({ publication, onDone, ...form }: ActionFormProps) {
  const { t } = useTranslation("publication");
  const { assignee, actions } = publication;
  const [curator, setCurator] = useState("");
  const [isSent, setSent] = useState(false);
  const acting = useActionForm(publication, { onDone });
  const me = useCaller()?.owner;
  const { data: curators = [] } = useQuery(curatorsQuery);
  const others = curators.filter(({ owner }) => owner !== me && owner !== assignee);
  const send = () => {
    setSent(true);
    if (curator !== "") acting.send({ action: "assign", body: { curator } });
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
      <NativeSelect
        label={t("assign.curator")}
        description={t("assign.curatorHint")}
        value={curator}
        onChange={({ currentTarget }) => setCurator(currentTarget.value)}
        error={acting.fieldError("/curator") ?? (isSent && curator === "" && t("assign.curatorRequired"))}
        data={[
          { value: "", label: t("assign.choose") },
          ...(me === undefined || me === assignee
            ? []
            : [{ value: me, label: t("assign.me", { name: shortName(me) }) }]),
          ...others.map(({ owner }) => ({ value: owner, label: shortName(owner) })),
        ]}
        required
        data-autofocus
      />
    </ActionForm>
  );
}
