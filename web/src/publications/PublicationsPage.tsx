import { PUBLICATION_QUEUES, type PublicationQueue } from "@accession/rules";
import { Anchor, Button, Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useAddress } from "../api/address.ts";
import { publicationsQuery } from "../api/publications.ts";
import { useCaller, useQueryState } from "../api/service.ts";
import { EmptyState } from "../ui/EmptyState.tsx";
import { MoreButton } from "../ui/MoreButton.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import classes from "./Publications.module.css";
import { PublicationCards, PublicationTable } from "./PublicationTable.tsx";

/** The publications that the user may see: for curators those of all owners, for submitters their own. */
export default function PublicationsPage() {
  const { t } = useTranslation("publications");
  const [params] = useAddress();
  const queue = PUBLICATION_QUEUES.find((one) => one === params.get("queue"));
  const found = useInfiniteQuery({ ...publicationsQuery(queue), placeholderData: keepPreviousData });
  const trouble = useQueryState(found);
  const isWide = useMediaQuery("(min-width: 62em)", undefined, { getInitialValueInEffect: false });
  const publications = found.data?.pages.flatMap((page) => page.items);
  const Shown = isWide ? PublicationTable : PublicationCards;
  return (
    <Stack gap="lg">
      <PageHeading title={t("publications", { ns: "shell" })} />
      <Filters chosen={queue} />
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {publications === undefined && trouble === undefined && <Skeleton height={360} aria-hidden />}
      {publications?.length === 0 && !found.isPlaceholderData && <None queue={queue} />}
      {publications !== undefined && publications.length > 0 && (
        <>
          <VisuallyHidden role="status">{t("shown", { count: publications.length })}</VisuallyHidden>
          <Shown publications={publications} />
        </>
      )}
      <MoreButton query={found} />
    </Stack>
  );
}

/** Links to the parts of the list. Only curators are assigned. */
function Filters({ chosen }: { chosen: PublicationQueue | undefined }) {
  const { t } = useTranslation("publications");
  const roles = useCaller()?.roles ?? [];
  const isCurator = roles.includes("curator") || roles.includes("admin");
  const offered = PUBLICATION_QUEUES.filter((queue) => isCurator || queue !== "mine" || chosen === "mine");
  return (
    <nav aria-label={t("filters.label")} className={classes.filters}>
      <Link href="/publications" aria-current={chosen === undefined ? "page" : undefined}>
        {t("filters.all")}
      </Link>
      {offered.map((queue) => (
        <Link key={queue} href={`/publications?queue=${queue}`} aria-current={chosen === queue ? "page" : undefined}>
          {t(`filters.${queue}`)}
        </Link>
      ))}
    </nav>
  );
}

function None({ queue }: { queue: PublicationQueue | undefined }) {
  const { t } = useTranslation("publications");
  if (queue === undefined) {
    return (
      <EmptyState title={t("none.all")} detail={t("none.allDetail")}>
        <Button component={Link} href="/datasets">
          {t("none.datasets")}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t("none.filtered")} detail={t(`none.${queue}`)}>
      <Anchor component={Link} href="/publications">
        {t("none.clear")}
      </Anchor>
    </EmptyState>
  );
}
