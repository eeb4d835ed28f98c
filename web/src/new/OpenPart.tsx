import { Button, Stack, Title } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Arrival } from "./Arrival.tsx";
import { useForm } from "./form.ts";
import classes from "./New.module.css";
import { PARTS, type Part } from "./parts.ts";
import { WherePart } from "./where/WherePart.tsx";

const LATER = {
  what: () => import("./what/WhatPart.tsx"),
  who: () => import("./who/WhoPart.tsx"),
  review: () => import("./review/ReviewPart.tsx"),
} as const;

/** The first is there at once, the others by the time that somebody comes to them. */
const CONTENT = { where: WherePart, what: lazy(LATER.what), who: lazy(LATER.who), review: lazy(LATER.review) } as const;

/** The part that one is in, and the way to the ones beside it. */
export function OpenPart() {
  const { part } = useForm();
  const Content = CONTENT[part];
  useEffect(() => {
    for (const load of Object.values(LATER)) void load();
  }, []);
  return (
    <Stack gap="xl" component="section" aria-labelledby="part">
      <PartHeading key={part} part={part} />
      <Suspense fallback={null}>
        <Content />
        <Arrival />
        <Ways part={part} />
      </Suspense>
    </Stack>
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
          {t("back", { part: t(`parts.${before}`) })}
        </Button>
      )}
      {after !== undefined && (
        <Button variant={after === "review" ? "filled" : "light"} onClick={() => goTo(after)}>
          {t("next", { part: t(`parts.${after}`) })}
        </Button>
      )}
    </div>
  );
}
