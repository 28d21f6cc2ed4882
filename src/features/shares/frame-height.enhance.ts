// A frame works without this: it says its height, so that the page around it needs no scroll bar inside.

const tell = () => {
  const height = Math.ceil(document.body.getBoundingClientRect().height)
  parent.postMessage({ 'ntalo-height': height }, '*')
  // What pages of AMP listen to.
  parent.postMessage({ sentinel: 'amp', type: 'embed-size', height }, '*')
}

if (parent !== window) {
  new ResizeObserver(tell).observe(document.body)
  addEventListener('load', tell)
}
