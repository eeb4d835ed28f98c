import { apa, type CslItem } from "@accession/rules";
import { Button, Group, SegmentedControl, Skeleton } from "@mantine/core";
import IconDownload from "@tabler/icons-react/dist/esm/icons/IconDownload.mjs";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { descriptionQuery } from "../../api/datasets.ts";
import { publicationQuery } from "../../api/publications.ts";
import { useQueryState, useService } from "../../api/service.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { ProblemAlert } from "../../ui/problem/ProblemAlert.tsx";
import { Scrollable, Section } from "../../ui/Section.tsx";
import { saveText } from "../../ui/save.ts";
import { visibleLines } from "../../ui/text/format.ts";
import { Name } from "../../ui/text/Name.tsx";
import classes from "../Dataset.module.css";

type Form = "apa" | "bibtex" | "ris" | "csl";

const FORMS: { value: Form; label: string; extension: string; type: string }[] = [
  { value: "apa", label: "APA", extension: "txt", type: "text/plain" },
  { value: "bibtex", label: "BibTeX", extension: "bib", type: "application/x-bibtex" },
  { value: "ris", label: "RIS", extension: "ris", type: "application/x-research-info-systems" },
  { value: "csl", label: "CSL-JSON", extension: "json", type: "application/vnd.citationstyles.csl+json" },
];

/** The citation as text, and in formats for reference managers. */
export function Cite({ id, version, citation }: { id: string; version: number; citation: CslItem }) {
  const { t } = useTranslation("dataset");
  const [form, setForm] = useState<Form>("apa");
  const query = useQuery({ ...descriptionQuery(id, version, form === "apa" ? "csl" : form), enabled: form !== "apa" });
  const { data } = query;
  const trouble = useQueryState(query);
  const words =
    form === "apa" ? apa(citation, { published: t("cite.kind"), unpublished: t("cite.unpublishedKind") }) : undefined;
  const text = words === undefined ? data : words.before + words.title + words.after;
  const { label = "", extension = "", type = "" } = FORMS.find(({ value }) => value === form) ?? {};
  return (
    <Section
      title={t("cite.title")}
      beside={
        <SegmentedControl
          size="xs"
          aria-label={t("cite.form")}
          value={form}
          onChange={(value) => setForm(FORMS.find((one) => one.value === value)?.value ?? "apa")}
          data={FORMS.map(({ value, label }) => ({ value, label }))}
        />
      }
    >
      {trouble !== undefined && form !== "apa" && <ProblemAlert {...trouble} />}
      <div className={classes.citation}>
        {citation.status !== undefined && <Unpublished id={id} version={version} />}
        {text === undefined && <Skeleton height="3rem" />}
        {words !== undefined && (
          <p>
            <Name>{words.before}</Name>
            <i>
              <Name>{words.title}</Name>
            </i>
            <Name>{words.after}</Name>
          </p>
        )}
        {words === undefined && text !== undefined && (
          <Scrollable label={label}>
            <pre>{visibleLines(text)}</pre>
          </Scrollable>
        )}
        <Group gap="0.25rem" ml="-0.375rem" wrap="nowrap">
          <CopyButton text={text ?? ""} what={t("cite.copy", { form: label })} />
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconDownload size={16} aria-hidden />}
            disabled={text === undefined}
            onClick={() => saveText(text ?? "", `${id}-v${version}.${extension}`, type)}
          >
            {t("cite.download", { form: label })}
          </Button>
        </Group>
      </div>
    </Section>
  );
}

/** What the reader may do with the citation of a version that is not published. */
function Unpublished({ id, version }: { id: string; version: number }) {
  const { t } = useTranslation("dataset");
  const hasDois = useService()?.registersDois === true;
  const { data } = useQuery({ ...publicationQuery(id, version), enabled: hasDois });
  if (data?.doiState === "reserved" && data.doi !== null) {
    return (
      <p>
        {t("cite.reserved", { doi: data.doi })} <CopyButton text={data.doi} what="DOI" />
      </p>
    );
  }
  const mayReserve = data?.actions.includes("reserve-doi") === true;
  return <p>{t(mayReserve ? "cite.reserveFirst" : "cite.unpublished")}</p>;
}
