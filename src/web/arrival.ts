import { type AnyRouter, useLocation } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'

/** The title of a kind of page, from the site map: `Marques · Ntalo`. */
export function useDefaultTitle(title: string): void {
  const pathname = useLocation({ select: (location) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address of the same kind starts anew.
  useLayoutEffect(() => {
    document.title = `${title} · Ntalo`
  }, [title, pathname])
}

/** The title of one page, once its subject is loaded. Runs after the default title's layout effect. */
export function useTitle(title: string | undefined): void {
  const pathname = useLocation({ select: (location) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the default title was written for this address.
  useEffect(() => {
    if (title) document.title = `${title} · Ntalo`
  }, [title, pathname])
}

/**
 * Moves the focus to the title of each page that is arrived at, so that it is read aloud as a loaded page would be, and to
 * the title as well when what has the focus goes away: a row that is deleted, or the title of the page that is left.
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

// Somebody who signed in was on a page of ours, and goes on in another: it is read aloud like any other that he goes to.
function isFromSignIn(): boolean {
  if (!URL.canParse(document.referrer)) return false
  const { origin, pathname } = new URL(document.referrer)
  return (
    origin === location.origin && pathname.startsWith('/auth/') && document.activeElement === document.body
  )
}
