import { ActionIcon, Code, VisuallyHidden } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import IconCheck from "@tabler/icons-react/dist/esm/icons/IconCheck.mjs";
import IconCopy from "@tabler/icons-react/dist/esm/icons/IconCopy.mjs";
import { useTranslation } from "react-i18next";
import common from "./Common.module.css";

/** Copies a text to the clipboard and reports the result. @param what the label of the text, such as `Identifier` */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation("ui");
  const { copy, copied, error } = useClipboard({ timeout: 2_500 });
  const said = error !== null ? t("cannotCopy") : copied ? t("copiedWhat", { what }) : "";
  return (
    <>
      <ActionIcon
        variant="subtle"
        color={copied ? "pine" : "gray"}
        aria-label={t("copyWhat", { what })}
        title={error === null ? t("copyWhat", { what }) : t("cannotCopy")}
        onClick={() => copy(text)}
      >
        {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
      </ActionIcon>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}

/** A command or an address, with a button that copies it. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className={common.copyable}>
      <Code>{text}</Code>
      <CopyButton text={text} what={what} />
    </span>
  );
}
