import { useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation } from "wouter";
import { PAGE_PATH } from "../api/client.ts";
import { CommentCount } from "../comments/CommentCount.tsx";
import { CommentsAt } from "../comments/CommentsAt.tsx";
import { offerCopies } from "../copy/offer-copies.ts";
import { visibleLines } from "../ui/text/format.ts";
import { showPictures } from "./pictures.ts";
import classes from "./Rendered.module.css";
import "site-parts.css";

interface Props {
  /** Made by the service, which escapes the texts of the dataset. */
  html: string;
  /**
   * What is done for links that are marked for it, such as with `data-export`, instead of opening their address.
   * Undefined where the address works as it is.
   */
  actions?: Actions;
  /** Whether links to other pages of the application load it, for a page that works without the session of the user. */
  isSeparate?: boolean;
}

type Actions = Partial<
  Record<"export" | "download" | "list" | "file", ((value: string, link: HTMLElement) => void) | undefined>
>;

const NO_ACTIONS: Actions = {};

/** A place in a part where comments are shown. */
type Spot = [kind: "member" | "folder" | "count", of: string];

/**
 * A part of the page of a dataset that the service renders, as on its landing page. Where the part marks a member of the metadata,
 * a folder or a file, the comments about it are shown.
 */
export function Rendered({ html, actions = NO_ACTIONS, isSeparate = false }: Props) {
  const [, navigate] = useLocation();
  const isEmpty = html.trim() === "";
  const place = useRef<HTMLDivElement>(null);
  // They stay when the part changes, so that a comment that is being written is not lost.
  const [elements] = useState(() => new Map<string, HTMLElement>());
  const [spots, setSpots] = useState<readonly Spot[]>([]);
  useLayoutEffect(() => {
    const template = document.createElement("template");
    template.innerHTML = html;
    const { content } = template;
    // Before the signs for hidden characters are in the texts.
    offerCopies(content);
    makeVisible(content);
    openOutside(content);
    setSpots(takeSpots(content, elements));
    const forget = showPictures(content);
    if (place.current !== null) replaceContent(place.current, content);
    return forget;
  }, [html, elements]);
  useLayoutEffect(() => {
    const shown = place.current;
    if (shown === null || isEmpty) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (link === null) return;
      const target = targetOf(link);
      if (target !== undefined) {
        event.preventDefault();
        target?.focus();
        return;
      }
      const page = isSeparate || !isOrdinary(event) ? undefined : pageOf(link.href);
      const action = actionOf(link, actions, isOrdinary(event));
      if (action !== undefined) action();
      else if (page !== undefined) navigate(page);
      else return;
      event.preventDefault();
    };
    const onSubmit = (event: SubmitEvent) => {
      const page = isSeparate ? undefined : pageOf(addressOf(event.target as HTMLFormElement));
      if (page === undefined) return;
      event.preventDefault();
      navigate(page);
    };
    shown.addEventListener("click", onClick);
    shown.addEventListener("submit", onSubmit);
    return () => {
      shown.removeEventListener("click", onClick);
      shown.removeEventListener("submit", onSubmit);
    };
  }, [actions, isSeparate, isEmpty, navigate]);
  if (isEmpty) return null;
  return (
    <>
      <div ref={place} className={`site-parts ${classes.part}`} />
      {spots.map(([kind, of]) => {
        const element = elements.get(`${kind} ${of}`);
        return element && createPortal(<SpotContent kind={kind} of={of} />, element, `${kind} ${of}`);
      })}
    </>
  );
}

function SpotContent({ kind, of }: { kind: Spot[0]; of: string }) {
  if (kind === "count") return <CommentCount path={of} />;
  return kind === "member" ? <CommentsAt member={of} /> : <CommentsAt file={of} />;
}

function replaceContent(part: HTMLElement, content: DocumentFragment): void {
  const focused = document.activeElement;
  const hadFocus = part.contains(focused);
  part.replaceChildren(content);
  // A comment that is being written was taken out of the document and put back.
  if (!hadFocus || !(focused instanceof HTMLElement)) return;
  if (focused.isConnected) focused.focus({ preventScroll: true });
  else focusIn(part, focused);
}

/** Takes the focus of an element that is gone, and shows where it is: the field of a search, or the first entry of a list. */
function focusIn(part: HTMLElement, { tagName }: HTMLElement): void {
  const field = part.querySelector<HTMLElement>("input[type=search]");
  const entry = part.querySelector<HTMLElement>("tbody a, [role=alert] a");
  const next = tagName === "A" ? (entry ?? field) : (field ?? entry);
  next?.focus();
}

/** The element of this page to which a link leads. A separate address would add an unnecessary entry to the browser’s history. */
function targetOf(link: HTMLAnchorElement): HTMLElement | null | undefined {
  const href = link.getAttribute("href") ?? "";
  return href.startsWith("#") ? document.getElementById(href.slice(1)) : undefined;
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

/** What a marked link does; undefined if it does nothing but lead to its address. */
function actionOf(link: HTMLAnchorElement, actions: Actions, isOrdinaryClick: boolean): (() => void) | undefined {
  const { export: format, list } = link.dataset;
  const [download, file] = [decoded(link.dataset.download), decoded(link.dataset.file)];
  if (format !== undefined) return actions.export && (() => actions.export?.(format, link));
  if (download !== undefined) return actions.download && (() => actions.download?.(download, link));
  if (list !== undefined) return actions.list && (() => actions.list?.(list, link));
  // The address opens the file in another tab.
  if (file !== undefined && isOrdinaryClick) return actions.file && (() => actions.file?.(file, link));
  return undefined;
}

/** The address that a form with the method GET opens. */
function addressOf(form: HTMLFormElement): string {
  const url = new URL(form.action);
  const texts = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  url.search = new URLSearchParams(texts.filter(([, value]) => value !== "")).toString();
  return url.href;
}

/** The address within the application to which an address leads; undefined for others. */
function pageOf(address: string): string | undefined {
  const { origin, pathname, search, hash } = new URL(address);
  if (origin !== location.origin || !pathname.startsWith(`${PAGE_PATH}/`)) return undefined;
  return pathname.slice(PAGE_PATH.length) + search + hash;
}

/** Links to other sites open in a new tab, because this page can contain what the user has entered. */
function openOutside(content: DocumentFragment): void {
  for (const link of content.querySelectorAll<HTMLAnchorElement>('a[href^="http"]')) {
    const { export: format, download } = link.dataset;
    if (link.origin === location.origin || (format ?? download) !== undefined) continue;
    link.target = "_blank";
    link.rel = `${link.rel} noreferrer`.trim();
  }
}

/** Replaces the marks of a part by the elements that contain the comments, and returns what they are about. */
function takeSpots(content: DocumentFragment, elements: Map<string, HTMLElement>): Spot[] {
  return Array.from(content.querySelectorAll<HTMLElement>("[data-member],[data-folder],[data-count]"), (mark) => {
    const { member, folder, count } = mark.dataset;
    const spot = spotOf(member, decoded(folder), decoded(count));
    const name = spot.join(" ");
    const element = elements.get(name) ?? mark;
    elements.set(name, element);
    if (element !== mark) mark.replaceWith(element);
    return spot;
  });
}

function spotOf(member: string | undefined, folder: string | undefined, count = ""): Spot {
  if (member !== undefined) return ["member", member];
  return folder === undefined ? ["count", count] : ["folder", folder];
}

function decoded(text: string | undefined): string | undefined {
  return text === undefined ? undefined : decodeURIComponent(text);
}
