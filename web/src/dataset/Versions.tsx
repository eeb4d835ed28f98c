import { Anchor, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Dataset, Version } from "../api/datasets.ts";
import { receiptQuery } from "../api/receipt/receipt.ts";
import { revisionsQuery } from "../api/revisions.ts";
import { useCaller, useMaySubmit } from "../api/service.ts";
import { RevisionAuthor } from "../revisions/RevisionAuthor.tsx";
import { RevisionNote } from "../revisions/RevisionNote.tsx";
import common from "../ui/Common.module.css";
import { Section } from "../ui/Section.tsx";
import { useFormats } from "../ui/text/format.ts";
import { Bytes, DateTime } from "../ui/text/Numbers.tsx";
import classes from "./Dataset.module.css";

/** The number of versions, and of revisions, that are shown at first. */
const FEW = 5;
const KINDS = ["added", "changed", "removed", "kept"] as const;

/** All versions, newest first, with the changes from one to the next. */
export function Versions({ dataset, shown }: { dataset: Dataset; shown: number }) {
  const { t } = useTranslation("dataset");
  const [isWhole, setWhole] = useState(false);
  const { versions, view } = dataset;
  const isFull = view === "full";
  const listed = isWhole ? versions : versions.filter(({ version }, place) => place < FEW || version === shown);
  return (
    <Section title={t("versions.title")} beside={isFull && <NewVersion id={dataset.id} />}>
      <ol className={`${common.list} ${classes.versions}`} reversed>
        {listed.map((version) => (
          <li key={version.version} data-shown={version.version === shown || undefined}>
            <Link
              href={`/datasets/${dataset.id}${version.version === dataset.version ? "" : `?version=${version.version}`}`}
              aria-current={version.version === shown ? "true" : undefined}
            >
              {t("version", { ns: "ui", version: version.version })}
            </Link>
            <span className={common.small}>
              <DateTime iso={version.publishedAt} /> · <Bytes value={version.bytes} />
            </span>
            <Changes version={version} />
          </li>
        ))}
      </ol>
      {listed.length < versions.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
          {t("versions.all", { count: versions.length })}
        </Button>
      )}
    </Section>
  );
}

/** The changes of a version, from its receipt; the number of files for callers who cannot see the receipt. */
function Changes({ version: { version, submission, objects } }: { version: Version }) {
  const { t } = useTranslation("dataset");
  const { count } = useFormats();
  const { data } = useQuery({ ...receiptQuery(submission ?? ""), enabled: submission !== null && version > 1 });
  const changes = data?.receipt.changes;
  const said =
    version === 1 || changes === undefined
      ? [t("files", { ns: "ui", count: objects, shown: count(objects) })]
      : KINDS.filter((kind) => changes[kind].total > 0).map((kind) =>
          t(`versions.${kind}`, { count: changes[kind].total, shown: count(changes[kind].total) }),
        );
  return <span className={common.small}>{said.join(" · ")}</span>;
}

/** A link to the form for the next version, for users who may submit. */
function NewVersion({ id }: { id: string }) {
  const { t } = useTranslation("dataset");
  if (!useMaySubmit()) return null;
  return (
    <Button component={Link} href={`/new?dataset=${id}`} variant="default" size="xs">
      {t("newVersion")}
    </Button>
  );
}

/** Roles of callers who may change the metadata of a dataset that they can see; the service decides. */
const EDITORS = ["submitter", "curator", "admin"];

interface Props {
  id: string;
  /** The version that is shown. */
  version: number;
  isLatest: boolean;
}

/** The newest metadata revisions of a version, with links to all of them and to the form that makes a new one. */
export function Revisions({ id, version, isLatest }: Props) {
  const { t } = useTranslation("edit");
  const { data: revisions = [] } = useQuery(revisionsQuery(id, version));
  const roles = useCaller()?.roles ?? [];
  const mayEdit = isLatest && roles.some((role) => EDITORS.includes(role));
  const edit = mayEdit && (
    <Button component={Link} href={`/datasets/${id}/edit`} variant="default" size="xs">
      {t("edit")}
    </Button>
  );
  return (
    <Section title={t("revisions.title")} beside={edit}>
      <ol className={`${common.list} ${classes.versions}`} reversed>
        {revisions.slice(0, FEW).map((one) => (
          <li key={one.revision}>
            <span>{t("revision", { ns: "ui", revision: one.revision })}</span>
            <span className={common.small}>
              <DateTime iso={one.changedAt} /> · <RevisionAuthor name={one.changedBy} />
            </span>
            {one.note !== "" && (
              <span className={common.small}>
                <RevisionNote revision={one} />
              </span>
            )}
          </li>
        ))}
      </ol>
      {(revisions.length > 1 || version > 1) && (
        <Anchor component={Link} href={`/datasets/${id}/revisions${isLatest ? "" : `?version=${version}`}`}>
          {t("revisions.compareLink")}
        </Anchor>
      )}
    </Section>
  );
}
