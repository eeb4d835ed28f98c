import { useState } from "react";

/** The members of an entry of the form that identify what its name names, such as a ROR ID. */
export type Identifiers = Readonly<Record<string, string>>;

/** A name and the identifiers that belong to it. */
interface Link<I> {
  name: string;
  identifiers: I;
}

interface Linked<I extends Identifiers> {
  name: string;
  identifiers: I;
  /** The member that must be filled in for a name to be identified. */
  decisive: keyof I & string;
  /** Changes the name, and the identifiers if they are given, at once. */
  fill: (name: string, identifiers?: I) => void;
}

/**
 * Removes identifiers when the user replaces the name to which they belong. An addition to the name, such as a department,
 * does not replace it. Removed identifiers are restored when the name returns, or when the user asks for it.
 */
export function useLink<I extends Identifiers>({ name, identifiers, decisive, fill }: Linked<I>) {
  const [link, setLink] = useState<Link<I>>();
  const [removed, setRemoved] = useState<{ link: Link<I>; at: string }>();
  const isEmpty = identifiers[decisive]?.trim() === "";
  const isRemoved = removed !== undefined && removed.at === name && isEmpty;

  function rename(next: string) {
    if (isRemoved) {
      if (contains(next, removed.link.name)) return restore(next);
      setRemoved({ link: removed.link, at: next });
      return fill(next);
    }
    const isLinked = link !== undefined && !isEmpty && link.identifiers[decisive] === identifiers[decisive];
    if (!isLinked || contains(next, link.name)) return fill(next);
    setRemoved({ link: { name: link.name, identifiers }, at: next });
    fill(next, blank(identifiers));
  }
  function restore(next = name) {
    if (removed === undefined) return;
    setRemoved(undefined);
    setLink({ name: next, identifiers: removed.link.identifiers });
    fill(next, removed.link.identifiers);
  }
  return {
    /** The name whose identifiers were removed, until they are restored or the user enters others. */
    removedFrom: isRemoved ? removed.link.name : undefined,
    rename,
    restore: () => restore(),
    /** Takes a name with its identifiers. */
    choose(chosen: string, own: I) {
      setRemoved(undefined);
      setLink({ name: chosen, identifiers: own });
      fill(chosen, own);
    },
    /** The field receives the focus: its present identifiers belong to its present name. */
    begin() {
      if (name.trim() !== "" && !isEmpty) setLink({ name, identifiers });
    },
  };
}

function contains(name: string, part: string): boolean {
  const fold = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase();
  return fold(name).includes(fold(part));
}

function blank<I extends Identifiers>(identifiers: I): I {
  return Object.fromEntries(Object.keys(identifiers).map((member) => [member, ""])) as unknown as I;
}
