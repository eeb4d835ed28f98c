import type { ReactNode } from "react";
import { Footer } from "./Footer.tsx";
import { Header } from "./Header.tsx";
import classes from "./Shell.module.css";
import { MAIN } from "./SkipLink.tsx";
import { Unreachable } from "./Unreachable.tsx";
import { useRenewal } from "./useRenewal.ts";

/** What is around every room. */
export function Shell({ children }: { children: ReactNode }) {
  useRenewal();
  return (
    <div className={classes.page}>
      <Header />
      <main id={MAIN} tabIndex={-1} className={classes.main}>
        {children}
      </main>
      <Footer />
      <Unreachable />
    </div>
  );
}
