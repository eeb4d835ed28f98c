import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import { useQueryText } from "../api/browser/address.ts";
import { useService } from "../api/service.ts";
import { useSession } from "../api/session/session.ts";
import type { LazyComponentType } from "../ui/lazyLoaded.tsx";
import { PageHeading } from "../ui/PageHeading.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { Loading, lazyPage } from "./lazyPage.tsx";

interface Place {
  /** Of its address; `:id` is handed to the page. */
  pattern: string;
  Page: LazyComponentType<{ id: string }>;
}

const PLACES: readonly Place[] = [
  { pattern: "/", Page: lazyPage(() => import("../submissions/SubmissionsPage.tsx")) },
  { pattern: "/new", Page: lazyPage(() => import("../new/NewSubmissionPage.tsx")) },
  { pattern: "/submissions/:id", Page: lazyPage(() => import("../submission/SubmissionPage.tsx")) },
  { pattern: "/receipts/:id", Page: lazyPage(() => import("../receipt/ReceiptPage.tsx")) },
  { pattern: "/datasets", Page: lazyPage(() => import("../datasets/DatasetsPage.tsx")) },
  { pattern: "/datasets/:id", Page: lazyPage(() => import("../dataset/DatasetPage.tsx")) },
  { pattern: "/publications", Page: lazyPage(() => import("../publications/PublicationsPage.tsx")) },
  { pattern: "/collections", Page: lazyPage(() => import("../collections/CollectionsPage.tsx")) },
  { pattern: "/datasets/:id/edit", Page: lazyPage(() => import("../edit/EditPage.tsx")) },
  { pattern: "/account/mail", Page: lazyPage(() => import("../account/MailPage.tsx")) },
  { pattern: "/datasets/:id/revisions", Page: lazyPage(() => import("../revisions/RevisionsPage.tsx")) },
];

/** The pages that do not require sign-in. */
const OPEN_PLACES: readonly Place[] = [
  { pattern: "/sign-in", Page: lazyPage(() => import("../sign-in/SignInPage.tsx")) },
  { pattern: "/datasets/:id/access", Page: lazyPage(() => import("../access/AccessPage.tsx")) },
  { pattern: "/signed-in", Page: lazyPage(() => import("../sign-in/SignedInPage.tsx")) },
];

/** The page of reviewer links. It is shown without header, session and requests of the other pages. */
export const REVIEW: Place = { pattern: "/review", Page: lazyPage(() => import("../review/ReviewPage.tsx")) };

/** Fetches the code of the page at an address before it is shown, if there is one. @param path below the page’s own: `/new` */
export async function preloadPageAt(path: string): Promise<void> {
  const shapeOf = (text: string) =>
    text
      .split("/")
      .map((part, at) => (at === 2 ? "" : part))
      .join("/");
  const place = [...PLACES, ...OPEN_PLACES, REVIEW].find(({ pattern }) => shapeOf(pattern) === shapeOf(path));
  await place?.Page.fetch();
}

/** The pages by their addresses. The code of a page is fetched when it is opened. */
export function Routes() {
  const [path] = useLocation();
  return (
    <ErrorBoundary at={path}>
      <Switch>
        {OPEN_PLACES.map(toRoute)}
        <Route>
          <SignedIn>
            <Switch>
              {PLACES.map(toRoute)}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </SignedIn>
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}

function toRoute({ pattern, Page }: Place) {
  return (
    <Route key={pattern} path={pattern}>
      {({ id = "" }: { id?: string }) => <Page key={id} id={id} />}
    </Route>
  );
}

/** The page for unknown addresses. */
function NotFound() {
  const { t } = useTranslation("shell");
  return (
    <Stack align="flex-start" maw="40rem">
      <PageHeading title={t("notFound.title")} />
      <Text c="dimmed">{t("notFound.detail")}</Text>
      <Button component={Link} href="/">
        {t("viewSubmissions", { ns: "ui" })}
      </Button>
    </Stack>
  );
}

/** Shows its content to signed-in users; redirects others to the sign-in page and back. */
function SignedIn({ children }: { children: ReactNode }) {
  const service = useService();
  const { session } = useSession();
  const [path] = useLocation();
  const query = useQueryText();
  if (service === undefined) return <Loading />;
  if (service.signIn.method === "none" || session !== undefined) return children;
  return <Redirect to={`/sign-in?${new URLSearchParams({ from: path + query })}`} replace />;
}
