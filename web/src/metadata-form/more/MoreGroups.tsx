import { Title } from "@mantine/core";
import { useTranslation } from "react-i18next";
import formClasses from "../Form.module.css";
import { OwnGroups } from "../own-fields/OwnGroups.tsx";
import { ContactGroup } from "./ContactGroup.tsx";
import { CoverageGroup } from "./CoverageGroup.tsx";
import { FundingGroup } from "./FundingGroup.tsx";
import { KindGroup } from "./KindGroup.tsx";
import { LicencesGroup } from "./LicencesGroup.tsx";
import classes from "./More.module.css";
import { RelatedGroup } from "./RelatedGroup.tsx";
import { SubjectsGroup } from "./SubjectsGroup.tsx";
import { TextsGroup } from "./TextsGroup.tsx";

/** The optional entries of the description, in collapsed groups. */
export function MoreGroups() {
  const { t } = useTranslation("new");
  return (
    <section aria-labelledby="more" className={classes.more}>
      <div>
        <Title order={3} size="h4" id="more">
          {t("more.title")}
        </Title>
        <p className={formClasses.lead}>{t("more.lead")}</p>
      </div>
      <div className={classes.groups}>
        <TextsGroup />
        <RelatedGroup />
        <FundingGroup />
        <CoverageGroup />
        <SubjectsGroup />
        <KindGroup />
        <ContactGroup />
        <LicencesGroup />
        <OwnGroups />
      </div>
    </section>
  );
}
