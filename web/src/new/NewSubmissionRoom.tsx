import { useTranslation } from "react-i18next";
import { PageHeading } from "../ui/PageHeading.tsx";

/** Where a bucket is submitted. */
export default function NewSubmissionRoom() {
  const { t } = useTranslation("new");
  return <PageHeading title={t("title")} />;
}
