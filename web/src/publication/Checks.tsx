import { Stack, Text, Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Place, Publication, PublicationCheck } from "../api/publications.ts";
import { PlaceLink } from "../comments/PlaceLink.tsx";
import datasetClasses from "../dataset/Dataset.module.css";
import common from "../ui/Common.module.css";
import { ServiceMessage } from "../ui/problem/ProblemAlert.tsx";
import { checkWords } from "../words/checks.ts";
import type { Language } from "../words/words.ts";
import classes from "./Publication.module.css";
import "./words.ts";

const SEVERITIES = ["error", "warning", "hint"] as const;
const TONES = { error: "bad", warning: "warn", hint: "calm" } as const;

/** The findings whose message in English states more than the text of the page: a name, a date or a number. */
const SPECIFIC: readonly string[] = [
  "licence_unknown",
  "embargo_differs",
  "files_empty",
  "files_personal",
  "objects_excluded",
  "doi_domain",
  "doi_account",
  "datacite_schema",
  "agreement_changed",
  "collection_licence",
];

/** The states in which the findings matter; later ones only state what was published. */
const CHECKED = ["private", "in_review", "changes_requested", "declined", "approved"];

interface Props {
  publication: Publication;
  mayEdit: boolean;
}

/** The findings of the automatic checks, those that prevent publication first, each with its next step. */
export function Checks({ publication, mayEdit }: Props) {
  const { t } = useTranslation("publication");
  const { state, checks, actions } = publication;
  if (!CHECKED.includes(state) || (checks.length === 0 && actions.length === 0)) return null;
  return (
    <section className={classes.part} aria-labelledby="publication-checks">
      <Title order={3} size="h5" id="publication-checks">
        {t("checks.title")}
      </Title>
      {checks.length === 0 && <p>{t("checks.passed")}</p>}
      {SEVERITIES.map((severity) => {
        const found = checks.filter((check) => check.severity === severity);
        if (found.length === 0) return null;
        return (
          <Stack key={severity} gap="0.5rem" className={classes.severity}>
            <Text fw={600} id={`publication-${severity}`}>
              {t(`checks.${severity}`)}
            </Text>
            <ul className={`${common.list} ${datasetClasses.checks}`} aria-labelledby={`publication-${severity}`}>
              {found.map((check) => (
                <li key={check.code} data-tone={TONES[severity]}>
                  <Finding check={check} />
                  <FindingPlace place={check.place} publication={publication} mayEdit={mayEdit} />
                  {check.points !== undefined && (
                    <ul className={classes.points}>
                      {check.points.map((point) => (
                        <li key={point.code}>
                          <Finding check={point} />
                          <FindingPlace place={point.place} publication={publication} mayEdit={mayEdit} />
                        </li>
                      ))}
                    </ul>
                  )}
                </li>
              ))}
            </ul>
          </Stack>
        );
      })}
    </section>
  );
}

/** A link to what a finding is about. */
function FindingPlace({ place, publication: { dataset, version }, mayEdit }: Props & { place: Place | undefined }) {
  if (place === undefined) return null;
  return (
    <span className={common.small}>
      <PlaceLink place={place} dataset={dataset} version={version} mayEdit={mayEdit} />
    </span>
  );
}

/** A finding in the language of the page; in the service’s words where the page has none. */
export function Finding({
  check: { code, message, nextStep },
}: {
  check: Pick<PublicationCheck, "message" | "nextStep"> & { code: string };
}) {
  const { i18n } = useTranslation();
  const words = checkWords[i18n.language as Language]?.[code];
  return (
    <>
      <span>{words?.message ?? message}</span>{" "}
      <Text span inherit c="dimmed">
        {words?.nextStep ?? nextStep}
      </Text>
      {words !== undefined && SPECIFIC.includes(code) && <ServiceMessage text={message} />}
    </>
  );
}
