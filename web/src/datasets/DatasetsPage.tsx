import type { DatasetEntry } from "@accession/client";
import { Button, Group, Skeleton, Stack, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAddress } from "../api/browser/address.ts";
import { datasetQuery, datasetsQuery } from "../api/datasets.ts";
import { useMaySubmit, useQueryState } from "../api/service.ts";
import common from "../ui/Common.module.css";
import { EmptyState, MOST_LETTERS, MoreButton, SearchField } from "../ui/ListParts.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { StatusBadge } from "../ui/StatusBadge.tsx";
import { useFormats } from "../ui/text/format.ts";
import { Name } from "../ui/text/Name.tsx";
import { Bytes, DateTime } from "../ui/text/Numbers.tsx";
import classes from "./Datasets.module.css";

const TYPING_MS = 250;

/** Lists all datasets that the user may see, each with its versions. */
export default function DatasetsPage() {
  const { t } = useTranslation("datasets");
  const [params, setParams] = useAddress();
  const q = params.get("q")?.slice(0, MOST_LETTERS) ?? "";
  const [wanted] = useDebouncedValue(q, TYPING_MS);
  const search = (q: string) => setParams(q === "" ? {} : { q }, { replace: true });
  const found = useInfiniteQuery({ ...datasetsQuery(wanted), placeholderData: keepPreviousData });
  const trouble = useQueryState(found);
  const datasets = found.data?.pages.flatMap((page) => page.items);
  const isEmpty = datasets?.length === 0;
  if (isEmpty && q === "" && wanted === "") return <NoneYet />;
  return (
    <Stack gap="lg">
      <PageHeading title={t("datasets", { ns: "shell" })} />
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      <Group>
        <SearchField label={t("search")} detail={t("searchDetail", { ns: "ui" })} value={q} onChange={search} />
      </Group>
      {datasets === undefined && <Skeleton height={360} aria-hidden />}
      {isEmpty && (
        <EmptyState title={t("noMatch.title")} detail={t("noMatch.detail")}>
          <Button variant="default" onClick={() => search("")}>
            {t("noMatch.clear")}
          </Button>
        </EmptyState>
      )}
      {datasets !== undefined && !isEmpty && (
        <>
          <VisuallyHidden role="status">{t("shown", { count: datasets.length })}</VisuallyHidden>
          <ul className={common.list}>
            {datasets.map((dataset) => (
              <DatasetRow key={dataset.id} dataset={dataset} />
            ))}
          </ul>
        </>
      )}
      <MoreButton query={found} />
    </Stack>
  );
}

function NoneYet() {
  const { t } = useTranslation("datasets");
  const maySubmit = useMaySubmit();
  return (
    <Stack gap="lg">
      <PageHeading title={t("datasets", { ns: "shell" })} />
      <EmptyState title={t("none.title")} detail={t(maySubmit ? "none.detail" : "none.readers")}>
        {maySubmit && (
          <Button component={Link} href="/new">
            {t("new", { ns: "shell" })}
          </Button>
        )}
      </EmptyState>
    </Stack>
  );
}

/** A dataset with its latest version. Opening the list fetches the earlier versions. */
function DatasetRow({ dataset }: { dataset: DatasetEntry }) {
  const { t } = useTranslation("datasets");
  const [isOpen, setOpen] = useState(false);
  const { id, title, version, withdrawn, metadata } = dataset;
  const isMany = version > 1 && withdrawn === null;
  return (
    <li className={classes.dataset}>
      <Group gap="0.25rem 0.75rem" maw="100%">
        <Link href={`/datasets/${id}`} className={classes.title}>
          <Name>{title}</Name>
        </Link>
        {withdrawn !== null && <StatusBadge status="withdrawn" />}
      </Group>
      <Authors authors={metadata.authors} total={metadata.authorsTotal} />
      <p className={classes.facts}>
        <span>{t("version", { ns: "ui", version })}</span>
        <Amount of={dataset} />
      </p>
      {isMany && (
        <UnstyledButton className={classes.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <IconChevronRight size={16} aria-hidden className={classes.chevron} />
          {t("versions", { count: version })}
        </UnstyledButton>
      )}
      {isMany && isOpen && <Versions id={id} latest={version} />}
    </li>
  );
}

function Authors({ authors, total }: { authors: DatasetEntry["metadata"]["authors"]; total: number }) {
  const { t } = useTranslation("datasets");
  const names = authors.map(({ firstName, lastName }) => [lastName, firstName].filter(Boolean).join(", "));
  const known = names.filter((name) => name !== "");
  if (known.length === 0) return null;
  const more = total - authors.length;
  return (
    <p className={classes.authors}>
      <Name>{known.join("; ")}</Name>
      {more > 0 && ` ${t("moreAuthors", { count: more })}`}
    </p>
  );
}

function Versions({ id, latest }: { id: string; latest: number }) {
  const { t } = useTranslation("datasets");
  const query = useQuery(datasetQuery(id));
  const trouble = useQueryState(query);
  if (trouble !== undefined) return <ProblemAlert {...trouble} />;
  if (query.data === undefined) return <Skeleton height={48} />;
  return (
    <ol className={`${common.list} ${classes.versions}`} reversed>
      {query.data.versions.map((version) => (
        <li key={version.version} className={classes.facts}>
          <Link href={`/datasets/${id}${version.version === latest ? "" : `?version=${version.version}`}`}>
            {t("version", { ns: "ui", version: version.version })}
          </Link>
          <Amount of={version} />
        </li>
      ))}
    </ol>
  );
}

/** The archiving date and the size. */
function Amount({
  of: { publishedAt, objects, bytes },
}: {
  of: Pick<DatasetEntry, "publishedAt" | "objects" | "bytes">;
}) {
  const { t } = useTranslation("datasets");
  const { count } = useFormats();
  return (
    <>
      <span>
        {t("about.published", { ns: "dataset" })} <DateTime iso={publishedAt} dayOnly />
      </span>
      <span>{t("files", { ns: "ui", count: objects, shown: count(objects) })}</span>
      <Bytes value={bytes} />
    </>
  );
}
