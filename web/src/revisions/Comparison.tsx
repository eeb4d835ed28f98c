import { NativeSelect, Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { revisionsQuery } from "../api/revisions.ts";
import { type RevisionNumber, useComparison } from "./comparison.ts";
import Differences from "./Differences.tsx";
import classes from "./RevisionsPage.module.css";

interface Props {
  id: string;
  /** The numbers of all versions, newest first. */
  versions: readonly number[];
  /** Undefined for the revision before the other one. */
  from: RevisionNumber | undefined;
  to: RevisionNumber;
}

/** The choice of two revisions, of one version or of two, and their differences. */
export function Comparison({ id, versions, from: wanted, to }: Props) {
  const { t } = useTranslation("edit");
  const { choose } = useComparison();
  const from = wanted ?? { ...to, revision: Math.max(1, to.revision - 1) };
  return (
    <Stack gap="md" component="section" aria-labelledby="comparison">
      <Title order={2} size="h3" id="comparison">
        {t("revisions.compare")}
      </Title>
      <div className={classes.choice}>
        <Choice
          id={id}
          label={t("revisions.from")}
          versions={versions}
          value={from}
          onChoose={(from) => choose(from, to)}
        />
        <Choice id={id} label={t("revisions.to")} versions={versions} value={to} onChoose={(to) => choose(from, to)} />
      </div>
      <Differences id={id} from={from} to={to} />
    </Stack>
  );
}

interface ChoiceProps {
  id: string;
  label: string;
  versions: readonly number[];
  value: RevisionNumber;
  onChoose: (chosen: RevisionNumber) => void;
}

/** The choice of a revision. Datasets with several versions have a choice of the version before it. */
function Choice({ id, label, versions, value, onChoose }: ChoiceProps) {
  const { t } = useTranslation("edit");
  const { data: revisions = [] } = useQuery(revisionsQuery(id, value.version));
  const known = revisions.map(({ revision }) => revision);
  const numbers = known.includes(value.revision) ? known : [value.revision, ...known];
  return (
    <fieldset className={classes.side}>
      <legend>{label}</legend>
      {versions.length > 1 && (
        <NativeSelect
          label={t("archived.version", { ns: "receipt" })}
          value={String(value.version)}
          data={versions.map((version) => ({ value: String(version), label: t("version", { ns: "ui", version }) }))}
          onChange={({ currentTarget }) => onChoose({ version: Number(currentTarget.value), revision: 1 })}
        />
      )}
      <NativeSelect
        label={t("revisions.revisionChoice")}
        value={String(value.revision)}
        data={numbers.map((revision) => ({
          value: String(revision),
          label: t("revision", { ns: "ui", revision }),
        }))}
        onChange={({ currentTarget }) => onChoose({ ...value, revision: Number(currentTarget.value) })}
      />
    </fieldset>
  );
}
