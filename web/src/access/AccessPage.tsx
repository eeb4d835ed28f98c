import { Anchor, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { dropGrant, isLinkOver, readableQuery, takeGrant } from "../api/access.ts";
import { useAddress } from "../api/address.ts";
import { SERVICE_URL } from "../api/client.ts";
import { useQueryState } from "../api/service.ts";
import { DatasetUnavailable } from "../dataset/DatasetUnavailable.tsx";
import { useFormats } from "../ui/format.ts";
import { Bytes } from "../ui/Numbers.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { TroubleAlert } from "../ui/ProblemAlert.tsx";
import { AskForm } from "./AskForm.tsx";
import { OwnRequests } from "./OwnRequests.tsx";
import { ReadableFiles } from "./ReadableFiles.tsx";
import { signInHref } from "./signInHref.ts";
import { useHasAccount } from "./useHasAccount.ts";

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
        {t("version", { version })} · {t("files", { count: objects, shown: count(objects) })} · <Bytes value={bytes} />
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
