import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The element with the focus, if a part of it is below the title or the buttons of its dialog, which stay in sight. */
const COVERED = `(() => {
  const here = document.activeElement;
  const dialog = here.closest("[role=dialog]");
  if (dialog === null) return "The focus is not in a dialog";
  const { top, bottom } = here.getBoundingClientRect();
  const covers = (other) => {
    if (getComputedStyle(other).position !== "sticky" || other.contains(here)) return false;
    const place = other.getBoundingClientRect();
    return bottom > place.top + 1 && top < place.bottom - 1;
  };
  const name = here.id || here.getAttribute("aria-label") || here.textContent || here.tagName;
  const frame = dialog.getBoundingClientRect();
  const isOutside = top < frame.top - 1 || bottom > frame.bottom + 1;
  return isOutside || [...dialog.querySelectorAll("*")].some(covers) ? name : undefined;
})()`;

/** Whether the focus has reached an element for the first time. */
const IS_NEW = "globalThis.reached.size < globalThis.reached.add(document.activeElement).size";

const inSight = (page: Page, message: string) =>
  expect.poll(() => page.evaluate<string | undefined>(COVERED), { message }).toBeUndefined();

/**
 * Fails if the title or the buttons of the open dialog cover the element with the focus, or, on a low phone, any element that
 * the Tab key reaches, in both directions.
 */
export async function expectFocusInSight(page: Page): Promise<void> {
  await inSight(page, "opened");
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height: 640 });
  for (const key of ["Tab", "Shift+Tab"]) {
    await page.evaluate("globalThis.reached = new Set()");
    do {
      await page.keyboard.press(key);
      await inSight(page, key);
    } while (await page.evaluate<boolean>(IS_NEW));
  }
  await page.setViewportSize(size);
}
