import { Anchor, Stack, Text } from "@mantine/core";
import IconMessagePlus from "@tabler/icons-react/dist/esm/icons/IconMessagePlus.mjs";
import { useQuery } from "@tanstack/react-query";
import type { MouseEvent } from "react";
import { Trans, useTranslation } from "react-i18next";
import { accessQuery } from "../api/access.ts";
import type { Publication } from "../api/publications.ts";
import commentClasses from "../comments/Comments.module.css";
import common from "../ui/Common.module.css";
import "./words.ts";

/** What the user must do next about a publication, with links to it; nothing for all others. */
export default function ActNext({ publication }: { publication: Publication }) {
  const { t } = useTranslation("publication");
  const needed = neededAct(publication);
  const requests = useOpenRequests(publication);
  if (needed === undefined && requests === 0) return null;
  return (
    <Stack gap="0.25rem">
      {needed !== undefined && <ActLink to="publication" words={t(`actNext.${needed}`)} />}
      {requests > 0 && <ActLink to="publication-access" words={t("actNext.answer", { count: requests })} />}
      {needed === "decide" && publication.actions.includes("comment") && (
        <p className={common.small}>
          <Trans t={t} i18nKey="comment.where" components={{ icon: <CommentIcon /> }} />
        </p>
      )}
    </Stack>
  );
}

/** A link to a part of this page. @param to the id of its element, which can receive the focus */
function ActLink({ to, words }: { to: string; words: string }) {
  // With the path, because the document’s <base> is another page.
  const href = `${location.pathname}${location.search}#${to}`;
  const go = (event: MouseEvent) => {
    const place = document.getElementById(to);
    // The browser opens another tab, or goes there once the part was loaded.
    if (event.ctrlKey || event.metaKey || event.shiftKey || place === null) return;
    event.preventDefault();
    place.scrollIntoView();
    place.focus({ preventScroll: true });
  };
  return (
    <Text fw={600}>
      <Anchor href={href} inherit underline="always" onClick={go}>
        {words}
      </Anchor>
    </Text>
  );
}

/** The icon of the buttons that comment. */
function CommentIcon() {
  const { t } = useTranslation("publication");
  return (
    <IconMessagePlus size={18} stroke={1.5} role="img" aria-label={t("comment.add")} className={commentClasses.icon} />
  );
}

/** The act that the publication waits for, if the user can do it. */
function neededAct({ state, actions }: Publication): "decide" | "revise" | "publish" | undefined {
  if (state === "in_review" && actions.includes("approve")) return "decide";
  if (state === "changes_requested" && actions.includes("request")) return "revise";
  if (state === "approved" && actions.includes("publish")) return "publish";
  return undefined;
}

/** The number of requests for access to closed files that the user can answer. */
function useOpenRequests({ dataset, access, actions }: Publication): number {
  const enabled = actions.includes("change-access") && access !== "open";
  const { data } = useQuery({ ...accessQuery(dataset), enabled });
  return enabled ? (data?.requests.filter(({ state }) => state === "open").length ?? 0) : 0;
}
