const EDGE = 8

/** Puts a popover against its button, flipped and shifted to stay on screen. CSS anchors are too young for the
    browsers we serve. */
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
}
