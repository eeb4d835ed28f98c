import { Anchor, Button, List, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import {
  dropGrant,
  isLinkOver,
  ownRequestsQuery,
  readableFilesQuery,
  readableQuery,
  takeGrant,
  useDownloadLink,
} from "../api/access.ts";
import { useAddress } from "../api/browser/address.ts";
import { SERVICE_URL } from "../api/client.ts";
import { useQueryState } from "../api/service.ts";
import { DatasetUnavailable } from "../dataset/DatasetUnavailable.tsx";
import { BusyButton } from "../ui/BusyButton.tsx";
import common from "../ui/Common.module.css";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ProblemAlert, TroubleAlert } from "../ui/problem/ProblemAlert.tsx";
import { Section } from "../ui/Section.tsx";
import { saveFrom } from "../ui/save.ts";
import { useFormats, visibleLines } from "../ui/text/format.ts";
import { PathName } from "../ui/text/Name.tsx";
import { Bytes, DateTime } from "../ui/text/Numbers.tsx";
import classes from "./Access.module.css";
import { AskForm } from "./AskForm.tsx";
import { signInHref, useHasAccount } from "./useHasAccount.ts";
import "./words.ts";

/**
 * The page of readers of a published dataset, which needs no sign-in: it asks for access to closed files, and shows them to
 * people with access. Links of grants lead here.
 */
export default function AccessPage({ id }: { id: string }) {
  const { t } = useTranslation("access");
  const { grant, isOver, query } = useReadable(id);
  const trouble = useQueryState(query);
  const { data } = query;
  return (
    <Stack gap="lg" maw="44rem">
      <PageHeading title={trouble === undefined ? data?.title : t("title")} />
      {isOver && <TroubleAlert tone="warn" trouble={{ title: t("over.title"), detail: t("over.detail") }} />}
      {trouble !== undefined && <Unavailable {...trouble} />}
      {data === undefined && trouble === undefined && <Skeleton height="40vh" />}
      {data !== undefined && trouble === undefined && (
        <>
          <Facts {...data} />
          <OwnRequests id={id} />
          {data.publication.filesReadable ? (
            <ReadableFiles id={id} version={data.publication.version} grant={grant} objects={data.objects} />
          ) : (
            !opensSoon(data.publication) && <AskForm id={id} version={data.publication.version} />
          )}
        </>
      )}
    </Stack>
  );
}

/** The dataset as this reader sees it. Without a valid link, the reader is the signed-in user or the public. */
function useReadable(id: string) {
  const [grant, setGrant] = useState(() => takeGrant(id));
  const [isOver, setOver] = useState(false);
  const [params] = useAddress();
  const wanted = Number(params.get("version"));
  const query = useQuery(readableQuery(id, Number.isInteger(wanted) && wanted > 0 ? wanted : undefined, grant));
  const isRefused = grant !== undefined && isLinkOver(query.error);
  useEffect(() => {
    if (!isRefused) return;
    dropGrant(id);
    setGrant(undefined);
    setOver(true);
  }, [isRefused, id]);
  return { grant, isOver, query };
}

type Readable = NonNullable<ReturnType<typeof useReadable>["query"]["data"]>;

/** The version, its size, and who may read the files. */
function Facts({ publication, objects, bytes }: Readable) {
  const { t } = useTranslation("access");
  const { count } = useFormats();
  const closedBecause = useClosedText();
  const { dataset, version, filesOpen, filesReadable } = publication;
  return (
    <>
      <Text c="dimmed">
        {t("version", { ns: "ui", version })} · {t("files", { ns: "ui", count: objects, shown: count(objects) })} ·{" "}
        <Bytes value={bytes} />
      </Text>
      <Anchor href={`${SERVICE_URL}dataset/${dataset}?version=${version}`}>{t("landing")}</Anchor>
      {!filesOpen && (
        <Text>
          {closedBecause(publication)} {filesReadable && t("granted")}
        </Text>
      )}
    </>
  );
}

/** Whether the files will be open to all readers, and are closed only because the version is still being published. */
function opensSoon({ state, access }: Readable["publication"]): boolean {
  return state === "registering" && access === "open";
}

/** Why the files are closed. */
function useClosedText() {
  const { t } = useTranslation("access");
  const { calendarDay } = useFormats();
  return (publication: Readable["publication"]): string => {
    const { access, embargoDate } = publication;
    if (opensSoon(publication)) return t("registering");
    if (access === "embargoed" && embargoDate !== null) return t("embargoed", { date: calendarDay(embargoDate) });
    return t("restricted");
  };
}

/** The dataset is not published, or was not found. */
function Unavailable(trouble: NonNullable<ReturnType<typeof useQueryState>>) {
  const { t } = useTranslation("access");
  const hasAccount = useHasAccount();
  return (
    <>
      <DatasetUnavailable {...trouble} />
      {!hasAccount && (
        <Anchor component={Link} href={signInHref()}>
          {t("signIn")}
        </Anchor>
      )}
    </>
  );
}

/** The requests of a signed-in reader for this dataset, with the answers. */
function OwnRequests({ id }: { id: string }) {
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
            {answer !== "" && <div className={common.quote}>{visibleLines(answer)}</div>}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

interface ReadableFilesProps {
  id: string;
  version: number;
  grant: string | undefined;
  /** Number of files of the version. */
  objects: number;
}

/** The files that a reader with access can download. */
function ReadableFiles({ id, version, grant, objects }: ReadableFilesProps) {
  const { t } = useTranslation("access");
  const query = useQuery(readableFilesQuery(id, version, grant));
  const trouble = useQueryState(query);
  const { mutate, isPending, error } = useDownloadLink(id, version, grant);
  const download = (wanted: { path: string } | { format: "ro-crate" }) => {
    if (!isPending) mutate(wanted, { onSuccess: saveFrom });
  };
  const files = query.data ?? [];
  return (
    <Section title={t("files.title", { ns: "dataset" })}>
      <Stack align="flex-start">
        <BusyButton isBusy={isPending} onClick={() => download({ format: "ro-crate" })}>
          {t("list.everything")}
        </BusyButton>
        {error !== null && <ProblemAlert error={error} />}
        {trouble !== undefined && <ProblemAlert {...trouble} />}
        {query.data === undefined && trouble === undefined && <Skeleton height="8rem" />}
        {files.length > 0 && (
          <ul className={`${common.list} ${classes.files}`}>
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
