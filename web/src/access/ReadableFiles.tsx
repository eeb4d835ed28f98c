import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { readableFilesQuery, useDownloadLink } from "../api/access.ts";
import { useQueryState } from "../api/service.ts";
import { saveFrom } from "../dataset/download/save.ts";
import { Section } from "../dataset/Section.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import { PathName } from "../ui/Name.tsx";
import { Bytes } from "../ui/Numbers.tsx";
import { ProblemAlert } from "../ui/ProblemAlert.tsx";
import classes from "./Access.module.css";

interface Props {
  id: string;
  version: number;
  grant: string | undefined;
  /** Number of files of the version. */
  objects: number;
}

/** The files that a reader with access can download. */
export function ReadableFiles({ id, version, grant, objects }: Props) {
  const { t } = useTranslation("access");
  const query = useQuery(readableFilesQuery(id, version, grant));
  const trouble = useQueryState(query);
  const { mutate, isPending, error } = useDownloadLink(id, version, grant);
  const download = (wanted: { path: string } | { format: "ro-crate" }) => {
    if (!isPending) mutate(wanted, { onSuccess: saveFrom });
  };
  const files = query.data ?? [];
  return (
    <Section title={t("list.title")}>
      <Stack align="flex-start">
        <BusyButton isBusy={isPending} onClick={() => download({ format: "ro-crate" })}>
          {t("list.everything")}
        </BusyButton>
        {error !== null && <ProblemAlert error={error} />}
        {trouble !== undefined && <ProblemAlert {...trouble} />}
        {query.data === undefined && trouble === undefined && <Skeleton height="8rem" />}
        {files.length > 0 && (
          <ul className={classes.files}>
            {files.map(({ path, bytes }) => (
              <li key={path}>
                <Button
                  variant="subtle"
                  className={classes.file}
                  onClick={() => download({ path })}
                  aria-label={t("list.download", { path })}
                >
                  <PathName path={path} />
                </Button>
                <Bytes value={bytes} />
              </li>
            ))}
          </ul>
        )}
        {files.length < objects && query.data !== undefined && <Text>{t("list.more")}</Text>}
      </Stack>
    </Section>
  );
}
