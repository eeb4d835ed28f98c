import { type ComponentType, type ReactNode, useLayoutEffect, useState } from "react";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A component whose code comes when it is wanted. */
export interface LazyComponent<Props> {
  /** Fetches the code, once. Rejects with what kept it from coming; the next one who wants it tries anew. */
  fetch(): Promise<void>;
  /** Undefined until it is fetched. */
  readonly present: ComponentType<Props> | undefined;
}

/** A component that shows itself when it has come. */
export interface LazyComponentType<Props> extends LazyComponent<Props> {
  (props: Props): ReactNode;
}

/**
 * A component that is fetched when it is first shown, or ahead of that; what cannot be fetched is thrown where it
 * would be shown. Not React’s `lazy`: that shows what has come no sooner than 0.3 s after it began to wait, and waits
 * for a moment, too, for what was fetched long before.
 */
export function lazyLoaded<Props extends object>(
  load: Load<Props>,
  Meanwhile: ComponentType = Nothing,
): LazyComponentType<Props> {
  let present: ComponentType<Props> | undefined;
  let coming: Promise<void> | undefined;
  const later: LazyComponent<Props> = {
    get present() {
      return present;
    },
    fetch() {
      coming ??= load().then(
        (module) => {
          present = module.default;
        },
        (error: unknown) => {
          coming = undefined;
          throw error;
        },
      );
      return coming;
    },
  };
  function Shown(props: Props) {
    const Present = useLazy(later);
    return Present === undefined ? <Meanwhile /> : <Present {...props} />;
  }
  return Object.defineProperties(Shown, Object.getOwnPropertyDescriptors(later)) as LazyComponentType<Props>;
}

interface Arrival<Props> {
  present?: ComponentType<Props> | undefined;
  fault?: unknown;
}

/** The component, which is fetched if need be; undefined until it has come. @throws what kept it from coming */
export function useLazy<Props>(later: LazyComponent<Props>): ComponentType<Props> | undefined {
  const [arrival, setArrival] = useState<Arrival<Props>>({ present: later.present });
  useLayoutEffect(() => {
    if (arrival.present !== undefined) return;
    let isWanted = true;
    later.fetch().then(
      () => isWanted && setArrival({ present: later.present }),
      (fault: unknown) => isWanted && setArrival({ fault }),
    );
    return () => {
      isWanted = false;
    };
  }, [later, arrival.present]);
  if ("fault" in arrival) throw arrival.fault;
  return arrival.present;
}

function Nothing() {
  return null;
}
