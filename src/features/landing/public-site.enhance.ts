// Progressive enhancement: pages for visitors work without this script.

import { addPopovers } from '#web/popovers.ts'

void addPopovers()

/** Delay (ms) that shows the user's choice before the page changes. */
const choiceShownMs = 300

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-plan]')) {
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    for (const other of document.querySelectorAll('a[data-plan]')) other.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'true')
    setTimeout(() => location.assign(link.href), choiceShownMs)
  })
}

// A menu link to the same page would otherwise leave the menu open.
for (const popover of document.querySelectorAll<HTMLElement>('[popover]')) {
  popover.addEventListener('click', () => popover.hidePopover?.())
}

// On wide screens nothing is collapsed and headings are not buttons; on a phone, a link into a collapsed part opens it.
const wide = matchMedia('(min-width: 48rem)')
function unfoldWhereWide() {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('details[data-phone-fold]')) {
    fold.open = wide.matches
    fold.querySelector('summary')?.setAttribute('tabindex', wide.matches ? '-1' : '0')
  }
}
unfoldWhereWide()
wide.addEventListener('change', unfoldWhereWide)

function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  const fold = target?.querySelector<HTMLDetailsElement>('details[data-phone-fold]')
  if (fold && target?.matches('section')) fold.open = true
}
openTarget()
addEventListener('hashchange', openTarget)

// Replaces the browser's validation message, which may be in another language.
document.addEventListener(
  'invalid',
  ({ target }) => {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return
    const { valueMissing, typeMismatch } = target.validity
    if (valueMissing) target.setCustomValidity('Ce champ est obligatoire')
    else if (typeMismatch) target.setCustomValidity('Adresse e-mail incorrecte')
    target.addEventListener('input', () => target.setCustomValidity(''), { once: true })
  },
  true,
)

// Registered after the page has loaded: the cache of the service worker serves later visits. A failure has no
// consequence.
addEventListener('load', () => {
  navigator.serviceWorker
    ?.register('/sw.js')
    .then(() => navigator.serviceWorker.ready)
    .then(({ active }) => active?.postMessage('keep this page'))
    .catch(() => {})
})
