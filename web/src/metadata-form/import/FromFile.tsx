import IconFileImport from "@tabler/icons-react/dist/esm/icons/IconFileImport.mjs";
import { useId, useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import { visible } from "../../ui/text/format.ts";
import { isListName } from "../entries/lists.ts";
import { fieldId } from "../entries/pointers.ts";
import classes from "./Import.module.css";
import type { Member } from "./members.ts";
import { useSource } from "./sources.ts";

/** States below a field or list from which file its entry comes, until the user changes it. */
export function FromFile({ member }: { member: Member }) {
  const { t } = useTranslation("new");
  const source = useSource(member);
  const id = useId();
  const pointer = member === "contact" ? "/metadata/contact/email" : `/metadata/${member}`;
  useDescription(id, source === undefined || isListName(member) ? undefined : fieldId(pointer));
  if (source === undefined) return null;
  return (
    <p className={classes.from} id={id}>
      <IconFileImport size={16} aria-hidden />
      {t("import.from", { file: visible(source) })}
    </p>
  );
}

/**
 * Adds an element to the descriptions of a field. Mantine sets `aria-describedby` itself and has no way to add to it, so
 * the attribute is completed whenever it changes.
 *
 * @param field the id of the field; undefined for none
 */
function useDescription(id: string, field: string | undefined): void {
  useLayoutEffect(() => {
    const element = field === undefined ? null : document.getElementById(field);
    if (element === null) return;
    const others = () => (element.getAttribute(ATTRIBUTE) ?? "").split(" ").filter((one) => one !== "" && one !== id);
    const complete = () => {
      const wanted = [...others(), id].join(" ");
      if (element.getAttribute(ATTRIBUTE) !== wanted) element.setAttribute(ATTRIBUTE, wanted);
    };
    complete();
    const observer = new MutationObserver(complete);
    observer.observe(element, { attributes: true, attributeFilter: [ATTRIBUTE] });
    return () => {
      observer.disconnect();
      if (others().length === 0) element.removeAttribute(ATTRIBUTE);
      else element.setAttribute(ATTRIBUTE, others().join(" "));
    };
  }, [id, field]);
}

const ATTRIBUTE = "aria-describedby";
