import { ActionIcon, Button, Skeleton, Text } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Review, reviewDownload, reviewFilesQuery } from "../api/review.ts";
import { useQueryState } from "../api/service.ts";
import { BusyButton } from "../ui/BusyButton.tsx";
import common from "../ui/Common.module.css";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { Section } from "../ui/Section.tsx";
import { saveFrom } from "../ui/save.ts";
import { useFormats, visible } from "../ui/text/format.ts";
import { Name } from "../ui/text/Name.tsx";
import { Bytes } from "../ui/text/Numbers.tsx";
import classes from "./Review.module.css";
import "./words.ts";

/** The files that reviewers see, each with a download, and all of them as a ZIP. */
export function ReviewFiles({ review, secret }: { review: Review; secret: string }) {
  const { t } = useTranslation("review");
  const { count, bytes } = useFormats();
  const query = useInfiniteQuery(reviewFilesQuery(secret));
  const trouble = useQueryState(query);
  const download = useMutation({
    mutationFn: (path: string | undefined) => reviewDownload(secret, path),
    onSuccess: (url) => saveFrom(url),
  });
  const files = query.data?.pages.flatMap((page) => page.items) ?? [];
  const total = review.files;
  return (
    <Section
      title={t("files.title", { ns: "dataset" })}
      beside={
        <BusyButton
          isBusy={download.isPending && download.variables === undefined}
          onClick={() => download.mutate(undefined)}
          disabled={total.number === 0}
        >
          {t("files.all", { size: bytes(total.bytes) })}
        </BusyButton>
      }
    >
      <p>{t("files", { ns: "ui", count: total.number, shown: count(total.number) })}</p>
      {download.error !== null && <ProblemAlert error={download.error} />}
      {trouble !== undefined && <ProblemAlert {...trouble} />}
      {query.data === undefined && trouble === undefined && <Skeleton height="12rem" />}
      {files.length > 0 && (
        <ul aria-label={t("files.title", { ns: "dataset" })} className={`${common.list} ${classes.files}`}>
          {files.map(({ path, bytes: size }) => (
            <li key={path}>
              <span className={classes.name}>
                <Name>{path}</Name>
              </span>
              <Text span inherit fz="sm" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                <Bytes value={size} />
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("download.one", { ns: "dataset", name: visible(path) })}
                title={t("download.one", { ns: "dataset", name: visible(path) })}
                onClick={() => download.mutate(path)}
              >
                <IconDownload size={18} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button
          variant="default"
          style={{ alignSelf: "flex-start" }}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t("files.more")}
        </Button>
      )}
    </Section>
  );
}
