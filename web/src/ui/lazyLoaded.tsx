import { type ComponentType, type ReactNode, useLayoutEffect, useState } from "react";

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** A component whose code is loaded on demand. */
export interface LazyComponent<Props> {
  /** Loads the code once. Rejects if it cannot be loaded; the next call tries again. */
  fetch(): Promise<void>;
  /** Undefined until it is loaded. */
  readonly present: ComponentType<Props> | undefined;
}

/** A component that appears when its code is loaded. */
export interface LazyComponentType<Props> extends LazyComponent<Props> {
  (props: Props): ReactNode;
}

/**
 * A component that is loaded when it is first shown, or earlier. Errors are thrown where it would be shown. Replaces
 * React’s `lazy`, which shows a component no sooner than 0.3 s after it began to wait, and also waits briefly for code
 * that has been loaded already.
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

/** The component, loaded if necessary; undefined until then. @throws the error if it cannot be loaded */
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
