import { Button, Stack, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { shortName } from "../publication/Account.tsx";
import common from "../ui/Common.module.css";
import { visible } from "../ui/text/format.ts";
import classes from "./Comments.module.css";
import { CommentThread } from "./CommentThread.tsx";
import type { OpenComments } from "./context.ts";
import { PlaceLink, usePlaceName } from "./PlaceLink.tsx";
import "../publication/words.ts";

interface Props {
  comments: OpenComments;
  /** Moves the focus to a field of the form. @param pointer JSON Pointer to a member of the metadata */
  goToField: (pointer: string) => void;
}

/** What a form for the metadata begins with: the open comments. Those about a field lead to it. */
export default function OpenCommentList({ comments: { threads, publication }, goToField }: Props) {
  const { t } = useTranslation("publication");
  const nameOf = usePlaceName();
  if (threads.length === 0) return null;
  return (
    <Stack component="section" gap="sm" aria-labelledby="open-comments">
      <Title order={2} size="h4" id="open-comments">
        {t("comment.openTitle")}
      </Title>
      <ol className={`${common.list} ${classes.threads}`}>
        {threads.map((thread) => {
          const { id, place, comment, actor } = thread.entry;
          if (place === null || "file" in place) {
            const { dataset, version } = publication;
            return (
              <li key={id} className={classes.note}>
                <CommentThread
                  thread={thread}
                  publication={publication}
                  place={place && <PlaceLink place={place} dataset={dataset} version={version} mayEdit={false} />}
                />
              </li>
            );
          }
          return (
            <li key={id} className={classes.line}>
              <Button variant="subtle" size="compact-sm" ml="-0.5rem" onClick={() => goToField(place.field)}>
                {nameOf(place)}
              </Button>{" "}
              {t("comment.said", { name: shortName(actor ?? ""), text: visible(comment) })}
            </li>
          );
        })}
      </ol>
    </Stack>
  );
}
