/** Space (px) between a popover and the edge of the screen. */
const edge = 8

/**
 * Places a popover next to its button, flipped and shifted to stay on screen. CSS anchor positioning is too recent for
 * the browsers that we support.
 */
export function placeNear(anchor: Element, popup: HTMLElement, align: 'start' | 'end' = 'start'): void {
  const from = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = popup
  const wanted = align === 'start' ? from.left : from.right - width
  const left = Math.max(edge, Math.min(wanted, document.documentElement.clientWidth - width - edge))
  const below = from.bottom + edge / 2
  const fits = below + height + edge <= window.innerHeight
  const top = fits ? below : Math.max(edge, from.top - height - edge / 2)
  popup.style.left = `${left}px`
  popup.style.top = `${top}px`
  // Without native popovers (web/popovers.ts), positions may count from an ancestor instead of the screen.
  const placed = popup.getBoundingClientRect()
  if (placed.left !== left) popup.style.left = `${2 * left - placed.left}px`
  if (placed.top !== top) popup.style.top = `${2 * top - placed.top}px`
}
