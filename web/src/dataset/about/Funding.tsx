import { useTranslation } from "react-i18next";
import type { FurtherMetadata } from "../../api/metadata.ts";
import common from "../../ui/Common.module.css";
import { Name } from "../../ui/Name.tsx";
import { Section } from "../../ui/Section.tsx";
import classes from "../Dataset.module.css";
import { OutsideLink } from "./OutsideLink.tsx";

/** Funders and grants. */
export function Funding({ grants = [] }: { grants: FurtherMetadata["fundingReferences"] }) {
  const { t } = useTranslation("dataset");
  if (grants.length === 0) return null;
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
    </Section>
  );
}
