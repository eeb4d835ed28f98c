import { addressOfIdentifier } from "@accession/rules";
import { useTranslation } from "react-i18next";
import type { FurtherMetadata } from "../../api/metadata.ts";
import common from "../../ui/Common.module.css";
import { Name } from "../../ui/Name.tsx";
import { Section } from "../../ui/Section.tsx";
import { useTerm } from "../../ui/useTerm.ts";
import classes from "../Dataset.module.css";
import { OutsideLink } from "./OutsideLink.tsx";

/** Related publications, datasets and other resources, each with its relation to the dataset. */
export function RelatedWorks({ works = [] }: { works: FurtherMetadata["relatedIdentifiers"] }) {
  const { t } = useTranslation("dataset");
  const term = useTerm();
  if (works.length === 0) return null;
  return (
    <Section title={t("about.related")}>
      <ul className={`${common.list} ${classes.works}`}>
        {works.map(({ relationType, relatedIdentifier, relatedIdentifierType, citation }) => {
          const address =
            relatedIdentifier === undefined ? undefined : addressOfIdentifier(relatedIdentifier, relatedIdentifierType);
          const shown = relatedIdentifierType === "DOI" ? address : relatedIdentifier;
          return (
            <li key={[relationType, relatedIdentifier, citation].join(" ")}>
              <span className={common.small}>
                {t("about.relation", { relation: term("relationType", relationType) })}
              </span>
              {citation !== undefined && <Name>{citation}</Name>}{" "}
              {shown !== undefined && (
                <OutsideLink href={address}>
                  <Name>{shown}</Name>
                </OutsideLink>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
