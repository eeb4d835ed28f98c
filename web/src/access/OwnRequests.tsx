import { List, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ownRequestsQuery } from "../api/access.ts";
import { Section } from "../dataset/Section.tsx";
import { visibleLines } from "../ui/format.ts";
import { DateTime } from "../ui/Numbers.tsx";
import classes from "./Access.module.css";
import { useHasAccount } from "./useHasAccount.ts";

/** The requests of a signed-in reader for this dataset, with the answers. */
export function OwnRequests({ id }: { id: string }) {
  const { t } = useTranslation("access");
  const hasAccount = useHasAccount();
  const { data = [] } = useQuery({ ...ownRequestsQuery(id), enabled: hasAccount });
  if (data.length === 0) return null;
  return (
    <Section title={t("own.title")}>
      <List listStyleType="none" spacing="md">
        {data.map(({ id: request, state, createdAt, answer }) => (
          <List.Item key={request}>
            <Text>
              {t(`own.${state}`)} (<DateTime iso={createdAt} />)
            </Text>
            {answer !== "" && <div className={classes.text}>{visibleLines(answer)}</div>}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
