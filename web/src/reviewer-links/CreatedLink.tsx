import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { AnonymityFinding, NewReviewerLink } from "../api/reviewer-links.ts";
import { PlaceLink } from "../publication/PlaceLink.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { useFormats, visible } from "../ui/format.ts";
import { TroubleAlert } from "../ui/ProblemAlert.tsx";
import classes from "./ReviewerLinks.module.css";

interface Props {
  link: NewReviewerLink;
  dataset: string;
  mayEdit: boolean;
  onClose: () => void;
}

/** The address of a new link, which is shown once, and what can tell reviewers who made the dataset. */
export function CreatedLink({ link, dataset, mayEdit, onClose }: Props) {
  const { t } = useTranslation("review");
  return (
    <Stack gap="lg">
      <Text>{t("links.once")}</Text>
      <div className={classes.address}>
        <Code>{link.url}</Code>
        <CopyButton text={link.url} what={t("links.address")} />
      </div>
      {link.anonymous && <Findings link={link} dataset={dataset} mayEdit={mayEdit} />}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t("links.done")}
        </Button>
      </Group>
    </Stack>
  );
}

function Findings({ link, dataset, mayEdit }: Omit<Props, "onClose">) {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const telling = link.findings.filter(isTelling);
  const leftOut = link.findings.filter(({ kind }) => kind === "excluded");
  const more = link.findingsTotal - link.findings.length;
  const names = leftOut.map(({ place, text }) => visible("file" in place ? place.file : text)).join(", ");
  return (
    <>
      {telling.length === 0 ? (
        <Text>{t("links.nothingFound")}</Text>
      ) : (
        <TroubleAlert tone="warn" trouble={{ title: t("links.found") }}>
          <ul className={classes.findings}>
            {telling.map(({ kind, text, place }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of the findings never changes here.
              <li key={index}>
                <PlaceLink place={place} dataset={dataset} version={link.version} mayEdit={mayEdit} />{" "}
                {t(`links.kinds.${kind}`, { text: visible(text) })}
              </li>
            ))}
          </ul>
          {more > 0 && <p>{t("links.more", { count: more, shown: count(more) })}</p>}
        </TroubleAlert>
      )}
      {leftOut.length > 0 && (
        <Text>{t("links.leftOut", { count: link.filesLeftOut, shown: count(link.filesLeftOut), names })}</Text>
      )}
      <Text>{t("links.warning")}</Text>
    </>
  );
}

type Telling = AnonymityFinding & { kind: Exclude<AnonymityFinding["kind"], "excluded"> };

function isTelling(finding: AnonymityFinding): finding is Telling {
  return finding.kind !== "excluded";
}
