import { useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "wouter";
import { PAGE_PATH } from "../api/client.ts";
import { CommentsAt } from "../comments/CommentsAt.tsx";
import { offerCopies } from "../copy/offer-copies.ts";
import { visibleLines } from "../ui/text/format.ts";
import classes from "./Rendered.module.css";
import "site-parts.css";

interface Props {
  /** Made by the service, which escapes the texts of the dataset. */
  html: string;
  /** Saves an export. Undefined if the links work without the caller’s token. */
  onExport?: ((format: string) => void) | undefined;
  /** Whether links to other pages of the application load it, for a page that works without the session of the user. */
  isSeparate?: boolean;
}

/**
 * A part of the page of a dataset that the service renders, as on its landing page. Where the part marks a member of the metadata,
 * the comments about it are shown.
 */
export function Rendered({ html, onExport, isSeparate = false }: Props) {
  const [, navigate] = useLocation();
  const isEmpty = html.trim() === "";
  const place = useRef<HTMLDivElement>(null);
  // They stay when the part changes, so that a comment that is being written is not lost.
  const [spots] = useState(() => new Map<string, HTMLElement>());
  const [members, setMembers] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    const template = document.createElement("template");
    template.innerHTML = html;
    const { content } = template;
    // Before the signs for hidden characters are in the texts.
    offerCopies(content);
    makeVisible(content);
    openOutside(content);
    setMembers(takeSpots(content, spots));
    if (place.current === null) return;
    const focused = document.activeElement;
    const hadFocus = place.current.contains(focused);
    place.current.replaceChildren(content);
    // A comment that is being written was taken out of the document and put back.
    if (hadFocus && focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }, [html, spots]);
  useLayoutEffect(() => {
    const shown = place.current;
    if (shown === null || isEmpty) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (link === null) return;
      const format = link.dataset.export;
      const page = isSeparate || !isOrdinary(event) ? undefined : pageOf(link);
      if (format !== undefined && onExport !== undefined) onExport(format);
      else if (format === undefined && page !== undefined) navigate(page);
      else return;
      event.preventDefault();
    };
    shown.addEventListener("click", onClick);
    return () => shown.removeEventListener("click", onClick);
  }, [onExport, isSeparate, isEmpty, navigate]);
  if (isEmpty) return null;
  return (
    <>
      <div ref={place} className={`site-parts ${classes.part}`} />
      {members.map((member) => {
        const spot = spots.get(member);
        return spot && createPortal(<CommentsAt member={member} />, spot, member);
      })}
    </>
  );
}

/** Makes invisible characters of the texts visible, as everywhere in the application. */
function makeVisible(content: DocumentFragment): void {
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode } = texts;
    currentNode.nodeValue = visibleLines(currentNode.nodeValue ?? "");
  }
}

/** Whether a click opens a link in this tab. */
function isOrdinary({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

/** The address within the application to which a link leads; undefined for other links. */
function pageOf({ origin, pathname, search, hash }: HTMLAnchorElement): string | undefined {
  if (origin !== location.origin || !pathname.startsWith(`${PAGE_PATH}/`)) return undefined;
  return pathname.slice(PAGE_PATH.length) + search + hash;
}

/** Links to other sites open in a new tab, because this page can contain what the user has entered. */
function openOutside(content: DocumentFragment): void {
  for (const link of content.querySelectorAll<HTMLAnchorElement>('a[href^="http"]')) {
    if (link.origin === location.origin || link.dataset.export !== undefined) continue;
    link.target = "_blank";
    link.rel = `${link.rel} noreferrer`.trim();
  }
}

/** Replaces the marks of a part by the elements that contain the comments, and returns the members that they are about. */
function takeSpots(content: DocumentFragment, spots: Map<string, HTMLElement>): string[] {
  return Array.from(content.querySelectorAll<HTMLElement>("[data-member]"), (mark) => {
    const { member = "" } = mark.dataset;
    const spot = spots.get(member) ?? mark;
    spots.set(member, spot);
    if (spot !== mark) mark.replaceWith(spot);
    return member;
  });
}
