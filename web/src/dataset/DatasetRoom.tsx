import { Code } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { PageHeading } from "../ui/PageHeading.tsx";

/** One dataset: what was archived. */
export default function DatasetRoom({ id }: { id: string }) {
  const { t } = useTranslation("dataset");
  return (
    <>
      <PageHeading title={t("title")} />
      <Code>{id}</Code>
    </>
  );
}
