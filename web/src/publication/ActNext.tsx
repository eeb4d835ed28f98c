import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Publication } from "../api/publications.ts";

/** What the user must do next about a publication, with a link to its section; nothing for all others. */
export default function ActNext({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publication");
  const needed = neededAct(publication);
  if (needed === undefined) return null;
  return (
    <Text fw={600}>
      <Anchor href="#publication" inherit underline="always">
        {t(`actNext.${needed}`)}
      </Anchor>
    </Text>
  );
}

/** The act that the publication waits for, if the user can do it. */
function neededAct({ state, actions }: Publication): "decide" | "revise" | "publish" | undefined {
  if (state === "in_review" && actions.includes("approve")) return "decide";
  if (state === "changes_requested" && actions.includes("request")) return "revise";
  if (state === "approved" && actions.includes("publish")) return "publish";
  return undefined;
}
