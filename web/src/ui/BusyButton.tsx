import { Button, type ButtonProps, Loader } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import classes from "./BusyButton.module.css";

interface Props extends ButtonProps, Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps> {
  /** While true, the button does nothing. */
  isBusy: boolean;
}

/** A button for a request. Keeps the focus while the request runs, which a disabled button would lose. */
export function BusyButton({ isBusy, onClick, children, ...others }: Props) {
  return (
    <Button
      {...others}
      aria-disabled={isBusy || undefined}
      className={isBusy ? classes.busy : undefined}
      onClick={(event) => {
        // Enter in a field of the form also presses this button, so it must not submit the form again.
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
