import { Button, Stack, Title } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { focusField } from "../metadata-form/entries/pointers.ts";
import formClasses from "../metadata-form/Form.module.css";
import { type LazyComponent, lazyLoaded, useLazy } from "../ui/lazyLoaded.tsx";
import { DataSourcePart } from "./data-source/DataSourcePart.tsx";
import { useForm } from "./form.ts";
import classes from "./New.module.css";
import { PARTS, type Part } from "./parts.ts";

/** The first section is loaded with the page, the others in the background. */
const CONTENT: Record<Part, LazyComponent<object>> = {
  "data-source": { present: DataSourcePart, fetch: async () => undefined },
  description: lazyLoaded(() => import("../metadata-form/description/DescriptionPart.tsx")),
  authors: lazyLoaded(() => import("../metadata-form/authors/AuthorsPart.tsx")),
  review: lazyLoaded(() => import("./review/ReviewPart.tsx")),
};

/** The current section, with buttons to the previous and the next one. */
export function OpenPart() {
  const { part } = useForm();
  useEffect(() => {
    // A section that cannot be loaded now is loaded again when it is opened; errors are reported then.
    for (const later of Object.values(CONTENT)) later.fetch().catch(() => undefined);
  }, []);
  return (
    <Stack gap="xl" component="section" aria-labelledby="part">
      <PartHeading key={part} part={part} />
      <Content key={`${part} content`} part={part} />
    </Stack>
  );
}

function Content({ part }: { part: Part }) {
  const Present = useLazy(CONTENT[part]);
  if (Present === undefined) return null;
  return (
    <>
      <Present />
      <Arrival />
      <Ways part={part} />
    </>
  );
}

function PartHeading({ part }: { part: Part }) {
  const { t } = useTranslation("new");
  const { hasMoved, draft } = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once, when the heading appears.
  useEffect(() => {
    if (!hasMoved) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div>
      <Title order={2} size="h3" id="part" ref={heading} tabIndex={-1}>
        {t(`parts.${part}`)}
      </Title>
      <p className={formClasses.lead}>
        {t(`lead.${part === "data-source" && draft.dataSource.kind === "upload" ? "upload" : part}`)}
      </p>
    </div>
  );
}

function Ways({ part }: { part: Part }) {
  const { t } = useTranslation("new");
  const { goTo } = useForm();
  const at = PARTS.indexOf(part);
  const [before, after] = [PARTS[at - 1], PARTS[at + 1]];
  return (
    <div className={classes.ways}>
      {before === undefined ? (
        <span />
      ) : (
        <Button variant="default" onClick={() => goTo(before)}>
          {t("back")}
        </Button>
      )}
      {after !== undefined && (
        <Button variant={after === "review" ? "filled" : "light"} onClick={() => goTo(after)}>
          {t("next")}
        </Button>
      )}
    </div>
  );
}

/** Moves the focus to the target field once its section is shown. */
function Arrival() {
  const { target, arrive } = useForm();
  useEffect(() => {
    if (target === undefined) return;
    focusField(target);
    arrive();
  }, [target, arrive]);
  return null;
}
