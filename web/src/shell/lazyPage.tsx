import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../api/queries.ts";
import { serviceQuery } from "../api/service.ts";
import { type LazyComponentType, lazyLoaded } from "../ui/lazyLoaded.tsx";

/** The code of a page could not be fetched because the service does not answer. It can be retried. */
export class PageUnreachable extends Error {}
/** The code of a page does not exist any more, though the service answers: it was updated while the page was open. */
export class PageOutdated extends Error {}

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** How browsers and Vite say that a module, or its style sheet, could not be fetched. */
const NOT_FETCHED = /dynamically imported module|module script failed|Unable to preload/i;

/** A page whose code is fetched when it is opened. It throws {@link PageUnreachable} or {@link PageOutdated} when it cannot be. */
export function lazyPage<Props extends object>(load: Load<Props>): LazyComponentType<Props> {
  return lazyLoaded(() => fetchRoom(load), Loading);
}

async function fetchRoom<Props>(load: Load<Props>): Promise<{ default: ComponentType<Props> }> {
  try {
    return await load();
  } catch (error) {
    if (!isNotFetched(error)) throw error;
  }
  await queries.fetchQuery({ ...serviceQuery, staleTime: 0 }).catch((cause: unknown) => {
    throw new PageUnreachable("The service does not answer", { cause });
  });
  // It may have been away for a moment only.
  return load().catch((cause: unknown) => {
    throw isNotFetched(cause) ? new PageOutdated("The code of the page does not exist any more", { cause }) : cause;
  });
}

function isNotFetched(error: unknown): boolean {
  return error instanceof Error && NOT_FETCHED.test(error.message);
}

/** Shown while the code of a page loads. */
export function Loading() {
  const { t } = useTranslation("shell");
  return (
    <Stack gap="xl" aria-busy>
      <VisuallyHidden>{t("loading")}</VisuallyHidden>
      <Skeleton height={36} width="min(24rem, 70%)" />
      <Skeleton height={200} />
    </Stack>
  );
}
