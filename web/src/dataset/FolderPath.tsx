import { UnstyledButton } from "@mantine/core";
import IconChevronRight from "@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Name } from "../ui/Name.tsx";
import { visible } from "../ui/visible.ts";
import { nameOf } from "./browse.ts";
import classes from "./Files.module.css";
import { SmallDownload } from "./SmallDownload.tsx";
import type { Source } from "./useDownload.ts";

interface Props {
  from: Source;
  folder: string;
  onGo: (folder: string) => void;
}

/** Where one is among the folders, the ways back up, and this folder to save. */
export function FolderPath({ from, folder, onGo }: Props) {
  const { t } = useTranslation("dataset");
  const parts = folder === "" ? [] : folder.split("/");
  const paths = ["", ...parts.map((_, place) => parts.slice(0, place + 1).join("/"))];
  return (
    <div className={classes.way}>
      <nav aria-label={t("files.path")} className={classes.crumbs}>
        {paths.map((path) => (
          <Fragment key={path}>
            {path !== "" && <IconChevronRight size={14} aria-hidden />}
            <UnstyledButton
              className={classes.crumb}
              aria-current={path === folder ? "true" : undefined}
              onClick={() => onGo(path)}
            >
              {path === "" ? t("files.root") : <Name>{nameOf(path)}</Name>}
            </UnstyledButton>
          </Fragment>
        ))}
      </nav>
      {folder !== "" && (
        <SmallDownload
          from={from}
          wanted={{ path: folder }}
          words={t("files.downloadFolder", { name: visible(nameOf(folder)) })}
        />
      )}
    </div>
  );
}
