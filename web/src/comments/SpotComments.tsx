import { Button } from "@mantine/core";
import IconMessagePlus from "@tabler/icons-react/dist/esm/icons/IconMessagePlus.mjs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import common from "../ui/Common.module.css";
import { useReturnedFocus } from "../ui/useReturnedFocus.ts";
import { CommentBox } from "./CommentBox.tsx";
import classes from "./Comments.module.css";
import { CommentThread } from "./CommentThread.tsx";
import type { OpenComments } from "./context.ts";
import { usePlaceName } from "./PlaceLink.tsx";
import { isAt, type Spot } from "./threads.ts";
import "../publication/words.ts";

export interface SpotCommentsProps {
  spot: Spot;
  comments: OpenComments;
  /** Whether the dataset has no such member: then its name is shown, and nothing else can be said about it here. */
  isAbsent?: boolean | undefined;
}

/** The open comments about a spot, and the form for another one. */
export default function SpotComments({ spot, comments, isAbsent = false }: SpotCommentsProps) {
  const { t } = useTranslation("publication");
  const { publication, threads } = comments;
  const canAdd = comments.canAdd && !isAbsent;
  const [isAdding, setAdding] = useState(false);
  const opener = useReturnedFocus<HTMLButtonElement>(isAdding);
  const nameOf = usePlaceName();
  const here = threads.filter(({ entry }) => isAt(entry.place, spot));
  const place = "file" in spot ? spot : { field: `/${spot.member}` };
  const name = nameOf(place);
  // Of files and folders one is open at a time, and the title comes first; many fields with a word each are a lot of text.
  const isAlone = "file" in spot || spot.member === "title";
  if (here.length === 0 && !canAdd) return null;
  return (
    <div className={classes.spot}>
      {here.length > 0 && (
        <ol className={`${common.list} ${classes.threads}`} aria-label={t("comment.at", { name })}>
          {here.map((thread) => (
            <li key={thread.entry.id} className={classes.note}>
              <CommentThread
                thread={thread}
                publication={publication}
                placeName={entryName(thread.entry.place)}
                focusAfter={opener}
              />
            </li>
          ))}
        </ol>
      )}
      {canAdd && !isAdding && (
        <Button
          ref={opener}
          variant="subtle"
          size="compact-sm"
          className={classes.add}
          data-worded={isAlone || undefined}
          title={t("comment.on", { name })}
          aria-label={t("comment.on", { name })}
          onClick={() => setAdding(true)}
        >
          <IconMessagePlus size={18} stroke={1.5} aria-hidden />
          <span className={classes.word}>{t("comment.add")}</span>
        </Button>
      )}
      {canAdd && isAdding && (
        <CommentBox
          publication={publication}
          label={t("comment.on", { name })}
          submit={t("comment.submit")}
          about={{ place }}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  );
  /** The name of what a comment is about, where the page does not show it: of an entry of a list, or an absent member. */
  function entryName(at: (typeof here)[number]["entry"]["place"]): string | undefined {
    if (at === null || !("field" in at)) return undefined;
    return isAbsent || at.field.split("/").length > 2 ? nameOf(at) : undefined;
  }
}
