const EDGE = 8

/**
 * Places a popover next to its button, flipped and shifted to stay on screen. CSS anchor positioning is too recent for
 * the browsers that we support.
 */
export function placeNear(anchor: Element, popup: HTMLElement, align: 'start' | 'end' = 'start'): void {
  const from = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popup
  const wanted = align === 'start' ? from.left : from.right - width
  const left = Math.max(EDGE, Math.min(wanted, document.documentElement.clientWidth - width - EDGE))
  const below = from.bottom + EDGE / 2
  const fits = below + height + EDGE <= window.innerHeight
  const top = fits ? below : Math.max(EDGE, from.top - height - EDGE / 2)
  popup.style.left = `${left}px`
  popup.style.top = `${top}px`
  // Without native popovers (web/popovers.ts), positions may count from an ancestor instead of the screen.
  const placed = popup.getBoundingClientRect()
  if (placed.left !== left) popup.style.left = `${2 * left - placed.left}px`
  if (placed.top !== top) popup.style.top = `${2 * top - placed.top}px`
}
