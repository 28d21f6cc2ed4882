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

/** Moves the focus to the title of each page that is arrived at, so that it is read aloud as a loaded page would be. */
export function followArrivals(router: AnyRouter): void {
  let target: HTMLElement | null = null
  // The title may still be that of the page that is left, and takes the focus away with it.
  const observer = new MutationObserver(() => {
    if (target?.isConnected) return
    if (document.activeElement === document.body) focusTitle()
    else observer.disconnect()
  })
  const focusTitle = () => {
    target = document.querySelector('main h1') ?? document.querySelector('main')
    if (!target) return
    target.tabIndex = -1
    target.classList.add('outline-none')
    target.focus({ preventScroll: true })
  }
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    const hasFocusElsewhere = document.querySelector('dialog[open]')
    if (hasFocusElsewhere || (fromLocation ? !pathChanged : !isFromSignIn())) return
    focusTitle()
    observer.observe(document.body, { childList: true, subtree: true })
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
