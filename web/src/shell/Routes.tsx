import { Route, Switch, useLocation } from "wouter";
import type { LazyComponentType } from "../ui/lazyLoaded.tsx";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { lazyPage } from "./lazyPage.tsx";
import { NotFound } from "./NotFound.tsx";
import { SignedIn } from "./SignedIn.tsx";

interface Place {
  /** Of its address; `:id` is handed to the room. */
  pattern: string;
  Room: LazyComponentType<{ id: string }>;
}

const PLACES: readonly Place[] = [
  { pattern: "/", Room: lazyPage(() => import("../submissions/SubmissionsPage.tsx")) },
  { pattern: "/new", Room: lazyPage(() => import("../new/NewSubmissionPage.tsx")) },
  { pattern: "/submissions/:id", Room: lazyPage(() => import("../submission/SubmissionPage.tsx")) },
  { pattern: "/receipts/:id", Room: lazyPage(() => import("../receipt/ReceiptPage.tsx")) },
  { pattern: "/datasets", Room: lazyPage(() => import("../datasets/DatasetsPage.tsx")) },
  { pattern: "/datasets/:id", Room: lazyPage(() => import("../dataset/DatasetPage.tsx")) },
];

/** Where one gets before one has signed in. */
const OPEN_PLACES: readonly Place[] = [
  { pattern: "/sign-in", Room: lazyPage(() => import("../sign-in/SignInPage.tsx")) },
  { pattern: "/signed-in", Room: lazyPage(() => import("../sign-in/SignedInPage.tsx")) },
];

/** Fetches the room of an address ahead of its being shown, if there is one. @param path below the page’s own: `/new` */
export async function preloadPageAt(path: string): Promise<void> {
  const shapeOf = (text: string) => [text.split("/")[1] ?? "", text.split("/").length].join(" ");
  const place = [...PLACES, ...OPEN_PLACES].find(({ pattern }) => shapeOf(pattern) === shapeOf(path));
  await place?.Room.fetch();
}

/** Which room an address leads to. Each is fetched when somebody goes there. */
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

function toRoute({ pattern, Room }: Place) {
  return (
    <Route key={pattern} path={pattern}>
      {({ id = "" }: { id?: string }) => <Room key={id} id={id} />}
    </Route>
  );
}
