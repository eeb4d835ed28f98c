import { Drawer, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DatasetFile } from "../api/dataset-files.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Name } from "../ui/Name.tsx";
import { Bytes } from "../ui/Numbers.tsx";
import { formatOf, nameOf } from "./browse.ts";
import { CheckIt } from "./CheckIt.tsx";
import classes from "./Dataset.module.css";
import { DownloadButton } from "./DownloadButton.tsx";
import { Facts } from "./Facts.tsx";
import { Preview } from "./Preview.tsx";
import type { Source } from "./useDownload.ts";

/** One file: what is in it, how it was checked, and how it is had. */
export default function FileDrawer({ file, from, onClose }: { file: DatasetFile; from: Source; onClose: () => void }) {
  const { t } = useTranslation("dataset");
  const { t: ui } = useTranslation("ui");
  const { path, bytes, sha512, verifiedBy, verifiedWith } = file;
  return (
    <Drawer.Root opened onClose={onClose} position="right" size="min(46rem, 100%)">
      <Drawer.Overlay />
      <Drawer.Content>
        {/* Mantine’s own would be a second banner of the page. */}
        <div className={classes.drawerHead}>
          <Drawer.Title className={classes.drawerTitle}>
            <Name>{nameOf(path)}</Name>
          </Drawer.Title>
          <Drawer.CloseButton aria-label={ui("close")} size="lg" />
        </div>
        <Drawer.Body>
          <Stack gap="lg">
            <Preview file={file} from={from} />
            <div>
              <DownloadButton from={from} wanted={{ path }} words={t("download.file")} isFirst />
            </div>
            <Facts
              facts={[
                [t("file.path"), <Name key="p">{path}</Name>],
                [t("file.size"), <Bytes key="b" value={bytes} />],
                [t("file.format"), [formatOf(file), file.contentType].filter(Boolean).join(" · ")],
                [
                  t("file.verified"),
                  verifiedBy === null ? t("file.made") : t(`file.${verifiedBy}`, { algorithm: verifiedWith ?? "" }),
                ],
                [
                  ui("digest"),
                  <span key="d" className={classes.digest}>
                    <code>{sha512}</code>
                    <CopyButton text={sha512} what={ui("digest")} />
                  </span>,
                ],
              ]}
            />
            <CheckIt file={file} />
          </Stack>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
