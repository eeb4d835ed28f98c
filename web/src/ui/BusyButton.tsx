import { Button, type ButtonProps, Loader } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import classes from "./BusyButton.module.css";

interface Props extends ButtonProps, Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps> {
  /** While it is, pressing it does nothing. */
  isBusy: boolean;
}

/** A button whose work takes a while. It keeps the focus meanwhile, which one that is disabled would lose. */
export function BusyButton({ isBusy, onClick, children, ...others }: Props) {
  return (
    <Button
      {...others}
      aria-disabled={isBusy || undefined}
      className={isBusy ? classes.busy : undefined}
      onClick={(event) => {
        // Not to be sent by Enter in a field of its form either, which presses it, too.
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
      {isBusy && (
        <span className={classes.loader} aria-hidden>
          <Loader size="1.25em" color="currentColor" />
        </span>
      )}
    </Button>
  );
}
