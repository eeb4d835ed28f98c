import { Button, List } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { EmptyState } from "../ui/EmptyState.tsx";

/** Before the first submission: what this is for, and what to do first. */
export function NoneYet() {
  const { t } = useTranslation("submissions");
  return (
    <EmptyState title={t("none.title")} detail={t("none.detail")}>
      <List type="ordered" spacing="xs" pl="lg">
        {t("none.steps", { returnObjects: true }).map((step) => (
          <List.Item key={step}>{step}</List.Item>
        ))}
      </List>
      <Button component={Link} href="/new" mt="sm">
        {t("none.start")}
      </Button>
    </EmptyState>
  );
}
