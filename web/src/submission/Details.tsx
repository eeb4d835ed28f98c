import type { Submission, SubmissionEvent } from "@accession/client";
import { Tabs } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Files } from "./Files.tsx";
import { Log } from "./Log.tsx";

/** Every file, and everything that happened. */
export function Details({ submission, events }: { submission: Submission; events: readonly SubmissionEvent[] }) {
  const { t } = useTranslation("submission");
  const [shown, setShown] = useState<string | null>("files");
  return (
    <Tabs value={shown} onChange={setShown} keepMounted={false}>
      <Tabs.List aria-label={t("tabs.label")}>
        <Tabs.Tab value="files">{t("tabs.files")}</Tabs.Tab>
        <Tabs.Tab value="log">{t("tabs.log")}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="files" pt="lg">
        <Files submission={submission} />
      </Tabs.Panel>
      <Tabs.Panel value="log" pt="lg">
        <Log events={events} />
      </Tabs.Panel>
    </Tabs>
  );
}
