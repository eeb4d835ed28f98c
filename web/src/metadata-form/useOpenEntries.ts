import { useCallback, useState } from "react";

/** The ids of the entries of lists whose fields are expanded. @param first those that are expanded at first */
export function useOpenEntries(first: readonly { id: string }[] = []) {
  const [openEntries, setOpenEntries] = useState<ReadonlySet<string>>(() => new Set(first.map(({ id }) => id)));
  const setOpen = useCallback((entry: string, isOpen: boolean) => {
    setOpenEntries((open) => {
      const others = [...open].filter((id) => id !== entry);
      return new Set(isOpen ? [...others, entry] : others);
    });
  }, []);
  return { openEntries, setOpen };
}
