// What is checked on any page, whatever it shows. Run through the debugger, which the page's own policy does not bind.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Locator, Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules of WCAG 2.2 AA that a page breaks, as axe-core finds them: `rule: selector`. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (runOnly) => {
    // The script just run has put it there.
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }, standards)
}

/** Visible elements that reach out of the window's sides, when the page can be scrolled to them. */
export function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.tagName} ${element.className}`.slice(0, 80))
    return [`${scrollWidth} px of page in ${clientWidth} px of window`, ...wide.slice(0, 5)]
  })
}

/**
 * Presses Tab until the goal has the focus; each stop on the way must be seen: an outline, inside the window, under
 * nothing.
 *
 * @throws Error that names the stop that is not seen, or the goal that 60 stops do not reach
 */
export async function tabTo(page: Page, goal: Locator): Promise<void> {
  await goal.waitFor()
  for (let stop = 0; stop < 60; stop++) {
    await page.keyboard.press('Tab')
    const hidden = await hiddenFocus(page)
    if (hidden) throw new Error(`the focus is not seen: ${hidden}`)
    if (await hasFocus(goal)) return
  }
  throw new Error(`Tab never reaches ${goal}`)
}

export function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => element === document.activeElement)
}

function hiddenFocus(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const element = document.activeElement
    // The browser's own bars, between the last stop of a page and the first.
    if (!element || element === document.body) return null
    const name = element.outerHTML.slice(0, 120)
    const framed = [element, ...ancestors(element, 2)].some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    })
    if (!framed) return `no outline: ${name}`
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `outside the window: ${name}`
    const above = document.elementFromPoint(x, y)
    // A notification is over the page for five seconds, and never for longer.
    const isCovered =
      above && !element.contains(above) && !above.contains(element) && !above.closest('[popover=manual]')
    return isCovered ? `under ${above.outerHTML.slice(0, 80)}: ${name}` : null

    // A filter's frame takes the outline for the control inside it.
    function ancestors(from: Element, count: number): Element[] {
      const parent = from.parentElement
      return parent && count > 0 ? [parent, ...ancestors(parent, count - 1)] : []
    }
  })
}
