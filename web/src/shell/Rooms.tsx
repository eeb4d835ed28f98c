import { Route, Switch, useLocation } from "wouter";
import { ErrorBoundary } from "./ErrorBoundary.tsx";
import { fetchedRoom } from "./fetchedRoom.tsx";
import { NotFound } from "./NotFound.tsx";
import { SignedIn } from "./SignedIn.tsx";

const SubmissionsRoom = fetchedRoom(() => import("../submissions/SubmissionsRoom.tsx"));
const NewSubmissionRoom = fetchedRoom(() => import("../new/NewSubmissionRoom.tsx"));
const SubmissionRoom = fetchedRoom(() => import("../submission/SubmissionRoom.tsx"));
const DatasetRoom = fetchedRoom(() => import("../dataset/DatasetRoom.tsx"));
const SignInRoom = fetchedRoom(() => import("../sign-in/SignInRoom.tsx"));
const SignedInRoom = fetchedRoom(() => import("../sign-in/SignedInRoom.tsx"));

/** What an address begins with, for each room. */
const FIRST: Record<string, { fetch(): Promise<void> }> = {
  "": SubmissionsRoom,
  new: NewSubmissionRoom,
  submissions: SubmissionRoom,
  datasets: DatasetRoom,
  "sign-in": SignInRoom,
  "signed-in": SignedInRoom,
};

/** Fetches the room of an address ahead of its being shown. @param path below the page’s own, without a slash before it */
export async function fetchRoomAt(path: string): Promise<void> {
  await FIRST[path.split("/", 1)[0] ?? ""]?.fetch();
}

/** Which room an address leads to. Each is fetched when somebody goes there. */
export function Rooms() {
  const [path] = useLocation();
  return (
    <ErrorBoundary at={path}>
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
    </ErrorBoundary>
  );
}
