import type { Submission } from "@accession/client";
import { Anchor, Button } from "@mantine/core";
import IconVersions from "@tabler/icons-react/dist/esm/icons/IconVersions.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Link } from "wouter";
import { datasetQuery } from "../api/datasets.ts";
import { submissionQuery } from "../api/submissions.ts";
import { ConfirmDialog } from "../ui/Dialog.tsx";
import { ProblemAlert } from "../ui/problem/ProblemAlert.tsx";
import { isBlank } from "./draft.ts";
import { draftFromSubmission } from "./draft-from-submission.ts";
import { useForm } from "./form.ts";
import classes from "./New.module.css";

/** States whether the browser has stored the draft, and clears it. Before there is a draft, it has the same size. */
export function DraftNotice() {
  const { t } = useTranslation("new");
  const { draft, kept, follow, clear, goTo } = useForm();
  const [isAsking, setAsking] = useState(false);
  const isUnwritten = isBlank(draft) && kept === "kept";
  return (
    <div className={classes.draft}>
      <span role={kept === "kept" ? undefined : "alert"}>{t(`draft.${kept}`)}</span>
      {kept === "elsewhere" && (
        <Button variant="subtle" size="compact-sm" onClick={follow}>
          {t("draft.follow")}
        </Button>
      )}
      <Button variant="subtle" size="compact-sm" disabled={isUnwritten} onClick={() => setAsking(true)}>
        {t("draft.clear")}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t("draft.ask")}
        detail={t("draft.askDetail")}
        confirm={t("draft.confirm")}
        isDangerous
        onConfirm={() => {
          goTo("data-source");
          clear();
        }}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

/** Names the dataset that gets a new version, and copies the entries of the previous version. */
export function VersionNotice({ dataset }: { dataset: string }) {
  const { t } = useTranslation("new");
  const { draft, adopt } = useForm();
  const [isAsking, setAsking] = useState(false);
  const { data, error } = useQuery(datasetQuery(dataset));
  const before = data?.versions[0]?.submission ?? undefined;
  const { data: submission } = useQuery({ ...submissionQuery(before ?? ""), enabled: before !== undefined });
  if (error !== null) return <ProblemAlert error={error} />;
  if (data === undefined) return <div className={classes.note}>{t("version.loading")}</div>;
  const take = (known: Submission) => {
    adopt(draftFromSubmission(known));
    setAsking(false);
  };
  return (
    <div className={classes.note}>
      <IconVersions size={22} stroke={1.75} aria-hidden />
      <div>
        <Trans
          t={t}
          i18nKey="version.of"
          values={{ title: data.title, number: data.version + 1 }}
          components={{ title: <Anchor component={Link} href={`/datasets/${dataset}`} underline="always" /> }}
        />{" "}
        {t("version.detail")}{" "}
        {submission !== undefined && (
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.inText}
            justify="flex-start"
            onClick={() => (isBlank(draft) ? take(submission) : setAsking(true))}
          >
            {t("version.take", { number: data.version })}
          </Button>
        )}
        {submission !== undefined && (
          <ConfirmDialog
            isOpen={isAsking}
            title={t("version.ask")}
            detail={t("version.askDetail", { number: data.version })}
            confirm={t("version.confirm")}
            isDangerous
            onConfirm={() => take(submission)}
            onClose={() => setAsking(false)}
          />
        )}
      </div>
    </div>
  );
}
