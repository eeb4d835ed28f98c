import { Code, SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DatasetFile } from "../api/dataset-files.ts";
import { CopyButton } from "../ui/CopyButton.tsx";
import classes from "./Dataset.module.css";
import { savedName } from "./savedName.ts";

const SYSTEMS = [
  { value: "linux", label: "Linux" },
  { value: "mac", label: "macOS" },
  { value: "windows", label: "Windows" },
];

/** How somebody finds out that what they saved is what was archived. */
export function CheckIt({ file: { path, sha512 } }: { file: DatasetFile }) {
  const { t } = useTranslation("dataset");
  const [system, setSystem] = useState("linux");
  const name = savedName(path);
  const line = `${sha512}  ${name}`;
  const commands: Record<string, string> = {
    linux: `echo ${quoted(line)} | sha512sum --check`,
    mac: `echo ${quoted(line)} | shasum -a 512 --check`,
    windows: `(Get-FileHash -Algorithm SHA512 -LiteralPath '${name.replaceAll("'", "''")}').Hash -eq '${sha512}'`,
  };
  const command = commands[system] ?? "";
  return (
    <div className={classes.check}>
      <div className={classes.head}>
        <h3>{t("check.title")}</h3>
        <SegmentedControl size="xs" aria-label={t("check.system")} value={system} onChange={setSystem} data={SYSTEMS} />
      </div>
      <p className={classes.small}>{t("check.detail")}</p>
      <div className={classes.command}>
        <Code>{command}</Code>
        <CopyButton text={command} what={t("check.command")} />
      </div>
    </div>
  );
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
