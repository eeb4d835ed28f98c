import { Anchor, Title, VisuallyHidden } from "@mantine/core";
import IconCircleCheck from "@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs";
import IconCircleDashed from "@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs";
import { useTranslation } from "react-i18next";
import common from "../../ui/Common.module.css";
import { useMetadataForm } from "../context.ts";
import classes from "./Hints.module.css";
import { hintsOf } from "./hints.ts";

interface Props {
  /** The level of the heading. */
  order?: 2 | 3;
}

/** The entries that make a dataset easier to find, each with its state and a link to its field. They are optional. */
export function Hints({ order = 3 }: Props) {
  const { t } = useTranslation("new");
  const { draft, goToField, formErrors } = useMetadataForm();
  const wrong = formErrors.filter(({ kind }) => kind === "wrong").map(({ pointer }) => pointer);
  const hints = hintsOf(draft, wrong);
  return (
    <section aria-labelledby="hints">
      <Title order={order} size="h5" id="hints">
        {t("hints.title")}
      </Title>
      <p className={common.dimmed}>{t("hints.lead")}</p>
      <ul className={classes.hints}>
        {hints.map(({ name, isPresent, isWrong, pointer }) => {
          const Mark = isPresent ? IconCircleCheck : IconCircleDashed;
          return (
            <li key={name} data-present={isPresent || undefined}>
              <Mark size={18} stroke={1.75} aria-hidden />
              <div>
                <Anchor component="button" type="button" inherit underline="always" onClick={() => goToField(pointer)}>
                  {t(`hints.${name}`)}
                </Anchor>{" "}
                {isPresent ? (
                  <VisuallyHidden>{t("hints.present")}</VisuallyHidden>
                ) : (
                  <span className={common.dimmed}>{t(isWrong ? "hints.wrong" : "hints.missing")}</span>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
