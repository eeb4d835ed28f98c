import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { File } from "../../api/submission-files.ts";
import common from "../../ui/Common.module.css";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { joinWords, useProblemWords } from "../../ui/problem/problemWords.ts";
import { useFormats } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import { Bytes } from "../../ui/text/Numbers.tsx";
import classes from "./FileDetails.module.css";

/** The details of one file. */
export function FileDetails({ file, onClose }: { file: File | undefined; onClose: () => void }) {
  const { t } = useTranslation("submission");
  return (
    <Dialog isOpen={file !== undefined} title={t("files.details.title")} size="lg" onClose={onClose}>
      {file !== undefined && <Facts file={file} />}
    </Dialog>
  );
}

function Facts({ file }: { file: File }) {
  const { t } = useTranslation("submission");
  const { count } = useFormats();
  const verified = useVerified();
  const { path, key, bytes, state, sha512, attempts, error } = file;
  const known = useProblemWords()(error?.code);
  return (
    <dl className={`${common.facts} ${classes.facts}`}>
      <Fact name={t("files.details.path")} copy={path}>
        <Name>{path}</Name>
      </Fact>
      <Fact name={t("files.details.key")} copy={key}>
        <Name>{key}</Name>
      </Fact>
      <Fact name={t("files.columns.bytes")}>
        <Bytes value={bytes} />
      </Fact>
      <Fact name={t("files.columns.state")}>{t(`files.states.${state}`)}</Fact>
      {error !== null && (
        <Fact name={t("files.details.error")}>
          {known === undefined ? error.message : joinWords(known)} <code>{error.code}</code>
        </Fact>
      )}
      <Fact name={t("files.columns.verified")}>{verified(file)}</Fact>
      <Fact name={t("digest", { ns: "ui" })} {...(sha512 !== null && { copy: sha512 })}>
        {sha512 === null ? t("files.details.none") : <code>{sha512}</code>}
      </Fact>
      <Fact name={t("files.details.attempts")}>{count(attempts)}</Fact>
    </dl>
  );
}

function Fact({ name, copy, children }: { name: string; copy?: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span>{children}</span>
        {copy !== undefined && <CopyButton text={copy} what={name} />}
      </dd>
    </div>
  );
}

/** Gives the method by which a file was verified; a dash if it has not been verified. */
export function useVerified(): (file: File) => string {
  const { t } = useTranslation("submission");
  return ({ verifiedBy, verifiedWith }) =>
    verifiedBy === null ? "–" : t(`files.verified.${verifiedBy}`, { with: verifiedWith ?? "" }).trim();
}
