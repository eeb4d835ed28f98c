import { addressOfIdentifier } from "@accession/rules";
import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { PackageMetadata } from "../../api/metadata.ts";
import { CommentsAt } from "../../comments/CommentsAt.tsx";
import common from "../../ui/Common.module.css";
import { Section } from "../../ui/Section.tsx";
import { Name } from "../../ui/text/Name.tsx";
import { useTerm } from "../../ui/text/useTerm.ts";
import classes from "../Dataset.module.css";

/** Related publications, datasets and other resources, each with its relation to the dataset. */
export function RelatedWorks({ works = [] }: { works: PackageMetadata["relatedIdentifiers"] }) {
  const { t } = useTranslation("dataset");
  const term = useTerm();
  if (works.length === 0) return <CommentsAt member="relatedIdentifiers" isAbsent />;
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
      <CommentsAt member="relatedIdentifiers" />
    </Section>
  );
}

/** Funders and grants. */
export function Funding({ grants = [] }: { grants: PackageMetadata["fundingReferences"] }) {
  const { t } = useTranslation("dataset");
  if (grants.length === 0) return <CommentsAt member="fundingReferences" isAbsent />;
  return (
    <Section title={t("about.funding")}>
      <ul className={`${common.list} ${classes.works}`}>
        {grants.map(({ funderName, funderIdentifier, awardNumber, awardTitle, awardUri }) => (
          <li key={[funderName, awardNumber, awardTitle].join(" ")}>
            <OutsideLink href={funderIdentifier}>
              <Name>{funderName}</Name>
            </OutsideLink>
            {awardTitle !== undefined && (
              <span className={common.dimmed}>
                <Name>{awardTitle}</Name>
              </span>
            )}
            {(awardNumber ?? awardUri) !== undefined && (
              <span className={common.dimmed}>
                <OutsideLink href={awardUri}>
                  <Name>
                    {awardNumber === undefined ? (awardUri ?? "") : t("about.grant", { number: awardNumber })}
                  </Name>
                </OutsideLink>
              </span>
            )}
          </li>
        ))}
      </ul>
      <CommentsAt member="fundingReferences" />
    </Section>
  );
}

/** A link to another site; only text if the address is not a web address. */
export function OutsideLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined || !/^https?:\/\//i.test(href)) return children;
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit>
      {children}
    </Anchor>
  );
}
