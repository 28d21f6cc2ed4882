// What the sign-in page and the program tell each other through the browser: they are two documents.

/** In sessionStorage: the address last typed to sign in. */
export const emailKey = 'ntalo.sign-in-email'
/** In sessionStorage: the page that was asked for, to come back to once signed in. */
export const returnToKey = 'ntalo.return-to'
/** In sessionStorage when this session was opened by the first sign-in of its user ever. */
export const firstKey = 'ntalo.first-sign-in'
/** In sessionStorage: what happened on the page before this one. */
const noticeKey = 'ntalo.notice'
/** In localStorage while the server has not heard of a sign-out: the cookie, out of our reach, must not bring the user back. */
export const unheardKey = 'ntalo.sign-out-unheard'

/** Other tabs: `in` when somebody signed in, `out` when he leaves, `gone` when the server knows. */
export const otherTabs =
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('ntalo.session')

/** Leaves a word for the next page. */
export function leaveNotice(message: string): void {
  sessionStorage.setItem(noticeKey, message)
}

/** The word that the page before this one left, once. */
export function takeNotice(): string | null {
  const message = sessionStorage.getItem(noticeKey)
  sessionStorage.removeItem(noticeKey)
  return message
}

/**
 * Calls that change the cookie that all tabs share come one after the other: the last answer to arrive would decide
 * otherwise. Without locks (an address without https) they may cross.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request('ntalo.session', work) : work()
}
