import { Anchor } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { type Doi, differentDoisQuery } from "../api/dois.ts";
import common from "../ui/Common.module.css";
import { MoreButton } from "../ui/ListParts.tsx";
import { Name } from "../ui/text/Name.tsx";
import { DoiDifference } from "./DoiDifference.tsx";
import classes from "./Dois.module.css";
import "./words.ts";

/** For curators and admins: the datasets whose DOIs differ from the archive, folded. Nothing if there are none. */
export function DifferentDois() {
  const { t } = useTranslation("dois");
  const query = useInfiniteQuery(differentDoisQuery());
  const all = query.data?.pages.flatMap((page) => page.items) ?? [];
  const different = all.filter(({ differences }) => differences.length > 0);
  const others = all.filter(({ differences, problem }) => differences.length === 0 && problem !== null);
  if (different.length + others.length === 0) return null;
  const counts = [
    different.length > 0 && t("different", { count: different.length }),
    others.length > 0 && t("notCompared", { count: others.length }),
  ];
  return (
    <details className={classes.notice}>
      <summary>
        {counts.filter((words) => words !== false).join(" · ")}
        {query.hasNextPage && " …"}
      </summary>
      <p>{t("why")}</p>
      <ul className={common.list}>
        {[...different, ...others].map((doi) => (
          <Row key={doi.doi} doi={doi} />
        ))}
      </ul>
      <MoreButton query={query} />
    </details>
  );
}

function Row({ doi }: { doi: Doi }) {
  const { dataset, version, title } = doi;
  return (
    <li>
      <Anchor component={Link} href={`/datasets/${dataset}${version === null ? "" : `?version=${version}`}`}>
        <Name>{title}</Name>
      </Anchor>
      <span className={common.small}>
        <code>{doi.doi}</code> · <DoiDifference doi={doi} />
      </span>
    </li>
  );
}
