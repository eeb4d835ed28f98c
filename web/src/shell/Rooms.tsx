import { Suspense } from "react";
import { Route, Switch, useLocation } from "wouter";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { fetchedRoom } from "./fetchedRoom.tsx";
import { Loading } from "./Loading.tsx";
import { NotFound } from "./NotFound.tsx";
import { SignedIn } from "./SignedIn.tsx";

const SubmissionsRoom = fetchedRoom(() => import("../submissions/SubmissionsRoom.tsx"));
const NewSubmissionRoom = fetchedRoom(() => import("../new/NewSubmissionRoom.tsx"));
const SubmissionRoom = fetchedRoom(() => import("../submission/SubmissionRoom.tsx"));
const DatasetRoom = fetchedRoom(() => import("../dataset/DatasetRoom.tsx"));
const SignInRoom = fetchedRoom(() => import("../sign-in/SignInRoom.tsx"));
const SignedInRoom = fetchedRoom(() => import("../sign-in/SignedInRoom.tsx"));

/** Which room an address leads to. Each is fetched when somebody goes there. */
export function Rooms() {
  const [path] = useLocation();
  return (
    <ErrorBoundary at={path}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/sign-in">
            <SignInRoom />
          </Route>
          <Route path="/signed-in">
            <SignedInRoom />
          </Route>
          <Route>
            <SignedIn>
              <Switch>
                <Route path="/">
                  <SubmissionsRoom />
                </Route>
                <Route path="/new">
                  <NewSubmissionRoom />
                </Route>
                <Route path="/submissions/:id">{({ id }) => <SubmissionRoom key={id} id={id} />}</Route>
                <Route path="/datasets/:id">{({ id }) => <DatasetRoom key={id} id={id} />}</Route>
                <Route>
                  <NotFound />
                </Route>
              </Switch>
            </SignedIn>
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
