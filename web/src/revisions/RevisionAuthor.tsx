import { useTranslation } from "react-i18next";
import { Name } from "../ui/text/Name.tsx";

/** Who made a metadata revision. That of the service, after publication, has no account. */
export function RevisionAuthor({ name }: { name: string }) {
  const { t } = useTranslation("edit");
  return name === "" ? t("revisions.service") : <Name>{name}</Name>;
}
