import type { ReactNode } from "react";

/** Something that may be larger than its place: a part of the page that the keyboard can come to and scroll. */
export function Scrollable({
  label,
  className,
  children,
}: {
  label: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reached by the keyboard.
    <section tabIndex={0} aria-label={label} className={className}>
      {children}
    </section>
  );
}
