import { Anchor, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { revisionsQuery } from "../api/revisions.ts";
import { useCaller } from "../api/service.ts";
import { RevisionAuthor } from "../revisions/RevisionAuthor.tsx";
import common from "../ui/Common.module.css";
import { visibleLines } from "../ui/format.ts";
import { DateTime } from "../ui/Numbers.tsx";
import { Section } from "../ui/Section.tsx";
import classes from "./Dataset.module.css";

/** Roles of callers who may change the metadata of a dataset that they can see; the service decides. */
const EDITORS = ["submitter", "curator", "admin"];

/** The number of revisions that are shown here. */
const FEW = 5;

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
        {revisions.slice(0, FEW).map(({ revision, changedAt, changedBy, note }) => (
          <li key={revision}>
            <span>{t("history.revision", { ns: "publication", revision })}</span>
            <span className={common.small}>
              <DateTime iso={changedAt} /> · <RevisionAuthor name={changedBy} />
            </span>
            {note !== "" && <bdi className={common.small}>{visibleLines(note)}</bdi>}
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
