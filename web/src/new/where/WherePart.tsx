import { Checkbox, Stack } from "@mantine/core";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../ui/BusyButton.tsx";
import { useForm } from "../form.ts";
import { useFaultsIn } from "../useFaultsIn.ts";
import { useField } from "../useField.ts";
import { Address } from "./Address.tsx";
import { Findings } from "./Findings.tsx";
import { KeyFields } from "./KeyFields.tsx";
import { SelectionFields } from "./SelectionFields.tsx";

/** Where the data lies: the bucket, its keys, what of it is wanted, and whether all that works. */
export function WherePart() {
  const { t } = useTranslation("new");
  const { draft, setWhere, connection, touch } = useForm();
  const field = useField();
  const own = useFaultsIn("where").filter(({ kind, word }) => kind === "missing" || word !== undefined);
  // What the last test found is for the next one to judge.
  const faults = own.filter(({ isTested = false }) => !isTested);
  const test = (event: FormEvent) => {
    event.preventDefault();
    for (const { pointer } of faults) touch(pointer);
    const first = faults[0];
    if (first === undefined) connection.test();
    else document.getElementById(field(first.pointer).id)?.focus();
  };
  return (
    <>
      <form onSubmit={test} noValidate>
        <Stack gap="lg">
          <Address />
          <Checkbox
            label={t("where.anonymous")}
            description={t("where.anonymousDetail")}
            checked={draft.where.anonymous}
            onChange={({ currentTarget }) => setWhere({ anonymous: currentTarget.checked })}
          />
          {!draft.where.anonymous && <KeyFields />}
          <SelectionFields />
          <BusyButton type="submit" variant="outline" isBusy={connection.isTesting} style={{ alignSelf: "flex-start" }}>
            {t("where.test")}
          </BusyButton>
        </Stack>
      </form>
      <Findings />
    </>
  );
}
