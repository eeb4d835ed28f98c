import { Group, Skeleton, Title, VisuallyHidden } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { visible } from "./text/format.ts";

/** False until the first heading has been shown, because a newly opened page must not move the focus. */
let hasArrived = false;

/**
 * The heading of a page. It sets the document's title, and receives the focus after a change of page.
 *
 * @param title undefined until it is known
 * @param children buttons and notes beside the heading
 */
export function PageHeading({ title, children }: { title: string | undefined; children?: ReactNode }) {
  const { t } = useTranslation("shell");
  const heading = useRef<HTMLHeadingElement>(null);
  const name = t("name");
  useEffect(() => {
    document.title = title === undefined ? name : `${visible(title)} · ${name}`;
  }, [title, name]);
  const isKnown = title !== undefined;
  useEffect(() => {
    if (!isKnown) return;
    if (hasArrived) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    hasArrived = true;
  }, [isKnown]);
  return (
    <Group justify="space-between" align="center" gap="md" mih={44}>
      {/* A separate element, so that the known title does not move content that is already visible. */}
      <Title key={`${isKnown}`} order={1} ref={heading} tabIndex={-1} style={{ overflowWrap: "anywhere" }}>
        {title === undefined ? <Unknown /> : <bdi>{visible(title)}</bdi>}
      </Title>
      {children}
    </Group>
  );
}

/** As high as one line of the heading. */
function Unknown() {
  const { t } = useTranslation("shell");
  return (
    <>
      <VisuallyHidden>{t("loading")}</VisuallyHidden>
      <Skeleton component="span" display="block" height="1lh" width="min(24rem, 70vw)" />
    </>
  );
}
