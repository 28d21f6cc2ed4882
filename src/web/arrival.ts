import { type AnyRouter, useLocation } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'
import { parseUrl } from '#shared/parse-url.ts'

/** Sets the title of a kind of page from the site map: `Marques · Ntalo`. */
export function useDefaultTitle(title: string): void {
  const pathname = useLocation({ select: (location) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address of the same kind starts anew.
  useLayoutEffect(() => {
    document.title = `${title} · Ntalo`
  }, [title, pathname])
}

/** Sets the title of one page once its subject is loaded. Runs after the layout effect of the default title. */
export function useTitle(title: string | undefined): void {
  const pathname = useLocation({ select: (location) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the default title was written for this address.
  useEffect(() => {
    if (title) document.title = `${title} · Ntalo`
  }, [title, pathname])
}

/**
 * Moves the focus to the title of each new page, so that screen readers announce it as after a full page load. Also
 * moves it to the title when the focused element disappears: a deleted row, or the title of the previous page.
 */
export function followArrivals(router: AnyRouter): void {
  let focused: Element | null = null
  const focusTitle = () => {
    const title = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
    if (!title) return
    title.tabIndex = -1
    title.classList.add('outline-none')
    title.focus({ preventScroll: true })
  }
  const isInDialog = () => document.querySelector('dialog[open]') !== null
  document.addEventListener('focusin', ({ target }) => {
    focused = target instanceof Element ? target : null
  })
  new MutationObserver(() => {
    if (!focused || focused.isConnected) return
    focused = null
    if (document.activeElement === document.body && !isInDialog()) focusTitle()
  }).observe(document, { childList: true, subtree: true })
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (isInDialog() || (fromLocation ? !pathChanged : !isFromSignIn())) return
    focusTitle()
  })
}

// After a sign-in the user comes from another document of this site: the new page is announced like any navigation.
function isFromSignIn(): boolean {
  const from = parseUrl(document.referrer)
  return (
    from?.origin === location.origin &&
    from.pathname.startsWith('/auth/') &&
    document.activeElement === document.body
  )
}
