import { Anchor, Title, VisuallyHidden } from "@mantine/core";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleDashed from "@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs";
import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../../metadata-form/context.ts";
import { hintsOf } from "./hints.ts";
import classes from "./Review.module.css";

/** The entries that make a dataset easier to find, each with its state and a link to its field. They are optional. */
export function Hints() {
  const { t } = useTranslation("new");
  const { draft, goToField } = useMetadataForm();
  return (
    <section aria-labelledby="hints">
      <Title order={3} size="h5" id="hints">
        {t("hints.title")}
      </Title>
      <p className={classes.hintsLead}>{t("hints.lead")}</p>
      <ul className={classes.hints}>
        {hintsOf(draft).map(({ name, isPresent, pointer }) => {
          const Mark = isPresent ? IconCircleCheck : IconCircleDashed;
          return (
            <li key={name} data-present={isPresent || undefined}>
              <Mark size={18} stroke={1.75} aria-hidden />
              <Anchor component="button" type="button" inherit underline="always" onClick={() => goToField(pointer)}>
                {t(`hints.${name}`)}
              </Anchor>
              {isPresent ? (
                <VisuallyHidden>{t("hints.present")}</VisuallyHidden>
              ) : (
                <span className={classes.missing}>{t("hints.missing")}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
