import { Anchor, NativeSelect, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAddress } from "../api/address.ts";
import { metadataStateQuery, type Revision, revisionsQuery } from "../api/revisions.ts";
import { useQueryState } from "../api/service.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import { ChangeList } from "./ChangeList.tsx";
import { compareMetadata } from "./compare-metadata.ts";
import classes from "./RevisionsPage.module.css";

/** The metadata revisions of a version, and the differences between two of them. The address names the two. */
export default function RevisionsPage({ id }: { id: string }) {
  const { t } = useTranslation("edit");
  const [params, setParams] = useAddress();
  const version = numberIn(params.get("version")) ?? 1;
  const asked = useQuery(revisionsQuery(id, version));
  const trouble = useQueryState(asked);
  const revisions = asked.data ?? [];
  const newest = revisions[0]?.revision ?? 1;
  const to = numberIn(params.get("to")) ?? newest;
  const from = numberIn(params.get("from")) ?? Math.max(1, to - 1);
  const choose = (chosen: { from: number; to: number }) =>
    setParams({ version: String(version), from: String(chosen.from), to: String(chosen.to) });
  return (
    <Stack gap="lg" maw="48rem">
      <PageHeading title={t("revisions.title")}>
        <Anchor component={Link} href={`/datasets/${id}?version=${version}`}>
          {t("toDataset")}
        </Anchor>
      </PageHeading>
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {asked.isPending && <Skeleton height="20rem" />}
      {revisions.length > 0 && (
        <>
          <RevisionList revisions={revisions} />
          {revisions.length > 1 && (
            <Stack gap="md" component="section" aria-labelledby="comparison">
              <Title order={2} size="h3" id="comparison">
                {t("revisions.compare")}
              </Title>
              <div className={classes.choice}>
                <Choice
                  label={t("revisions.from")}
                  revisions={revisions}
                  value={from}
                  onChoose={(from) => choose({ from, to })}
                />
                <Choice
                  label={t("revisions.to")}
                  revisions={revisions}
                  value={to}
                  onChoose={(to) => choose({ from, to })}
                />
              </div>
              <Comparison id={id} version={version} from={from} to={to} />
            </Stack>
          )}
        </>
      )}
    </Stack>
  );
}

function RevisionList({ revisions }: { revisions: readonly Revision[] }) {
  const { t } = useTranslation("edit");
  return (
    <ol className={classes.revisions} reversed>
      {revisions.map(({ revision, changedAt, changedBy, note }) => (
        <li key={revision}>
          <strong>{t("revisions.number", { revision })}</strong>
          <span>
            <DateTime iso={changedAt} /> · {changedBy}
          </span>
          {note !== "" && <Text size="sm">{note}</Text>}
        </li>
      ))}
    </ol>
  );
}

interface ChoiceProps {
  label: string;
  revisions: readonly Revision[];
  value: number;
  onChoose: (revision: number) => void;
}

function Choice({ label, revisions, value, onChoose }: ChoiceProps) {
  const { t } = useTranslation("edit");
  return (
    <NativeSelect
      label={label}
      value={String(value)}
      data={revisions.map(({ revision }) => ({
        value: String(revision),
        label: t("revisions.number", { revision }),
      }))}
      onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
    />
  );
}

function Comparison({ id, version, from, to }: { id: string; version: number; from: number; to: number }) {
  const { t } = useTranslation("edit");
  const before = useQuery(metadataStateQuery(id, version, from));
  const after = useQuery(metadataStateQuery(id, version, to));
  const [first, second] = [useQueryState(before), useQueryState(after)];
  const trouble = first ?? second;
  if (trouble !== undefined) return <ProblemAlert {...trouble} />;
  if (before.data === undefined || after.data === undefined) return <Skeleton height="10rem" />;
  const changes = compareMetadata(before.data.metadata, after.data.metadata);
  return (
    <div aria-live="polite">
      {changes.length === 0 ? <Text>{t("revisions.same")}</Text> : <ChangeList changes={changes} />}
    </div>
  );
}

function numberIn(text: string | null): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
