import { useTranslation } from "react-i18next";
import type { Revision } from "../api/revisions.ts";
import { visibleLines } from "../ui/text/format.ts";

/** The note of a revision that the service makes after publication. */
const PUBLISHED = /^Published under (\S+)$/;

/** The note of a metadata revision: of a person as written, of the service in the language of the page. */
export function RevisionNote({ revision: { changedBy, note } }: { revision: Pick<Revision, "changedBy" | "note"> }) {
  const { t } = useTranslation("edit");
  // Revisions of the service have no account.
  const identifier = changedBy === "" ? PUBLISHED.exec(note)?.[1] : undefined;
  return <bdi>{visibleLines(identifier === undefined ? note : t("revisions.published", { identifier }))}</bdi>;
}
