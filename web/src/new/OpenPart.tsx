import { Button, Stack, Title } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type LazyComponent, lazyLoaded, useLazy } from "../ui/lazyLoaded.tsx";
import { DataSourcePart } from "./data-source/DataSourcePart.tsx";
import { useForm } from "./form.ts";
import classes from "./New.module.css";
import { fieldId, PARTS, type Part } from "./parts.ts";

/** The first is there at once, the others by the time that somebody comes to them. */
const CONTENT: Record<Part, LazyComponent<object>> = {
  "data-source": { present: DataSourcePart, fetch: async () => undefined },
  description: lazyLoaded(() => import("./description/DescriptionPart.tsx")),
  authors: lazyLoaded(() => import("./authors/AuthorsPart.tsx")),
  review: lazyLoaded(() => import("./review/ReviewPart.tsx")),
};

/** The part that one is in, and the way to the ones beside it. */
export function OpenPart() {
  const { part } = useForm();
  useEffect(() => {
    // What cannot be fetched now may be when it is shown, and is told of there.
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
  const { hasMoved } = useForm();
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is moved to when it appears, and not again.
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
      <p className={classes.lead}>{t(`lead.${part}`)}</p>
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

/** Takes whoever was led to a field there, once the part that it lies in is shown. */
function Arrival() {
  const { target, arrive } = useForm();
  useEffect(() => {
    if (target === undefined) return;
    focusField(target);
    arrive();
  }, [target, arrive]);
  return null;
}

/** Moves to the field of a member, or of what the member lies in. */
function focusField(pointer: string): void {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const field = document.getElementById(fieldId(at));
    if (field === null) continue;
    for (let folded = field.closest("details"); folded !== null; ) {
      folded.open = true;
      folded = folded.parentElement?.closest("details") ?? null;
    }
    field.focus();
    field.scrollIntoView({ block: "center" });
    return;
  }
}
