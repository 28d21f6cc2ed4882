/** Adds popovers to browsers that have none: Safari 16, Firefox 115. */
export async function addPopovers(): Promise<void> {
  if (!('popover' in HTMLElement.prototype)) await import('@oddbird/popover-polyfill')
}
