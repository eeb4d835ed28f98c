import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Loading } from "./Loading.tsx";
import { NotFound } from "./NotFound.tsx";
import { SignedIn } from "./SignedIn.tsx";

const SubmissionsRoom = lazy(() => import("../submissions/SubmissionsRoom.tsx"));
const NewSubmissionRoom = lazy(() => import("../new/NewSubmissionRoom.tsx"));
const SubmissionRoom = lazy(() => import("../submission/SubmissionRoom.tsx"));
const DatasetRoom = lazy(() => import("../dataset/DatasetRoom.tsx"));
const SignInRoom = lazy(() => import("../sign-in/SignInRoom.tsx"));
const SignedInRoom = lazy(() => import("../sign-in/SignedInRoom.tsx"));

/** Which room an address leads to. Each is fetched when somebody goes there. */
export function Rooms() {
  return (
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
  );
}
