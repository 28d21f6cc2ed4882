// Progressive enhancement: sends the height of the frame to the embedding page, which then needs no scroll bar in it.

const tell = () => {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  parent.postMessage({ 'ntalo-height': height }, '*')
  // The format that AMP pages listen to.
  parent.postMessage({ sentinel: 'amp', type: 'embed-size', height }, '*')
}

if (parent !== window) {
  new ResizeObserver(tell).observe(document.body)
  addEventListener('load', tell)
}
