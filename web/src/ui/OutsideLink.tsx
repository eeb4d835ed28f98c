import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";

/** A link to another site; only text if the address is not a web address. */
export function OutsideLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (href === undefined || !/^https?:\/\//i.test(href)) return children;
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" inherit>
      {children}
    </Anchor>
  );
}
