// Checks that apply to any page. They run through the debugger, which the page's content security policy does not
// restrict.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { isAtLength } from './length.ts'
import { waitLimitMs } from './wait-limit.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const colourRules = ['color-contrast', 'link-in-text-block']
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Widths in px: a desk, a tablet, a desk at 200 % zoom, a phone, a desk at 400 % zoom. */
const allWindows = [1440, 768, 640, 360, 320]
/** Widths at which nearly all faults of the other widths show too. */
const fewWindows = [360, 1440]

/**
 * Returns the faults of a page: content that overflows the window, and rules of WCAG 2.2 AA that are broken on a phone
 * in dark colours and (at length) on a desk in light and dark. Looks only at the topmost dialog when one is open.
 */
export async function faultsOf(page: Page, widths?: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  const looked = widths ?? (isAtLength ? allWindows : fewWindows)
  for (const width of looked) {
    const colorScheme = width === 1440 ? 'light' : 'dark'
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: width < 700 ? 640 : 900 })
    await settled(page)
    faults.push(...(await overflowing(page)))
    const isJudged = width === 360 || widths !== undefined || (width === 1440 && isAtLength)
    if (!isJudged) continue
    const broken = await accessibilityFaults(page)
    faults.push(...broken.map((rule) => `${width} px, ${colorScheme}: ${rule}`))
    if (width !== 1440) continue
    // On a desk, only the colours differ between light and dark, so only the rules about colours run again.
    await page.emulateMedia({ colorScheme: 'dark' })
    await settled(page)
    const brokenInDark = await accessibilityFaults(page, colourRules)
    faults.push(...brokenInDark.map((rule) => `${width} px, dark: ${rule}`))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  return faults
}

/**
 * Waits until a page is stable: its fonts are loaded, no finite animation runs, and twice in a row a frame was drawn
 * and the browser became idle without a change of the document.
 *
 * @throws Error that names what still changes after `waitLimitMs`
 */
async function settled(page: Page): Promise<void> {
  const moving = await page.evaluate(async (limitMs) => {
    const until = performance.now() + limitMs
    const changed = new Set<Node>()
    // A window that draws nothing, or a paused animation, never resolves; after a second the page is checked again.
    const atMostASecond = (work: Promise<unknown>) =>
      Promise.race([work, new Promise((resolve) => setTimeout(resolve, 1_000))])
    const drawn = () => new Promise(requestAnimationFrame)
    const idle = () => new Promise((resolve) => setTimeout(resolve))
    let moving: (Node | null | undefined)[] = []
    const watcher = new MutationObserver((changes) => {
      for (const { target } of changes) changed.add(target)
    })
    watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    await document.fonts.ready
    for (let still = 0; still < 2 && performance.now() < until; still++) {
      changed.clear()
      const ending = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
      await atMostASecond(Promise.allSettled(ending.map(({ finished }) => finished)))
      await atMostASecond(drawn())
      await atMostASecond(idle())
      moving = [
        ...changed,
        ...ending.map(({ effect }) => (effect instanceof KeyframeEffect ? effect.target : null)),
      ]
      if (moving.length > 0) still = -1
    }
    watcher.disconnect()
    return moving.map((node) =>
      node instanceof Element ? node.outerHTML.slice(0, 120) : String(node?.nodeName),
    )
  }, waitLimitMs)
  if (moving.length > 0) throw new Error(`the page does not come to rest: ${moving.join(', ')}`)
}

/** Returns the rules that a page breaks, as axe-core finds them: `rule: selector`. */
export async function accessibilityFaults(
  page: Page,
  rules: readonly string[] = standards,
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (runOnly) => {
    type Axe = { run(context: Element, options: object): Promise<AxeResults> }
    // The script that ran just before defines `axe`.
    const { axe } = globalThis as unknown as { axe: Axe }
    const place = [...document.querySelectorAll(':modal')].at(-1) ?? document.documentElement
    const { violations } = await axe.run(place, { runOnly, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }, rules)
}

/**
 * Returns elements that overflow the right edge of the window, or of the topmost dialog, when one can scroll to them.
 */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const dialog = [...document.querySelectorAll(':modal')].at(-1)
    const places = dialog ? [dialog, ...dialog.querySelectorAll('[data-dialog-body]')] : []
    return [document.documentElement, ...places].flatMap((place) => {
      const { scrollWidth, clientWidth } = place
      if (scrollWidth <= clientWidth) return []
      const edge = place.getBoundingClientRect().left + clientWidth
      // The element's box may fit while its text overflows.
      const wide = [...place.querySelectorAll('*')].findLast((element) => {
        const { left, right } = element.getBoundingClientRect()
        return Math.max(right, left + element.scrollWidth) > edge + 0.5
      })
      return [`${scrollWidth} px in ${clientWidth} px: ${wide?.outerHTML.slice(0, 120)}`]
    })
  })
}

/**
 * Presses Tab, or Shift+Tab, until the goal has the focus; each stop on the way must be visible: outlined, inside the
 * window, covered by nothing.
 *
 * @throws Error that names the stop that is not visible, or the goal that 60 stops do not reach
 */
export async function tabTo(page: Page, goal: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await goal.waitFor()
  for (let stop = 0; stop < 60; stop++) {
    await page.keyboard.press(key)
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
    // The focus is on the browser's own bars, between the last stop of a page and the first.
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
    // A notification may cover the page: it disappears after five seconds.
    const isCovered =
      above && !element.contains(above) && !above.contains(element) && !above.closest('[popover=manual]')
    return isCovered ? `under ${above.outerHTML.slice(0, 80)}: ${name}` : null

    // The frame of a filter shows the outline for the control inside it.
    function ancestors(from: Element, count: number): Element[] {
      const parent = from.parentElement
      return parent && count > 0 ? [parent, ...ancestors(parent, count - 1)] : []
    }
  })
}
