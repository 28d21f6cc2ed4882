// Values that the sign-in page and the program, two separate documents, exchange through the browser's storage.

/** In sessionStorage: the e-mail address last used to sign in. */
export const emailKey = 'ntalo.sign-in-email'
/** In sessionStorage: the requested page, to return to after signing in. */
export const returnToKey = 'ntalo.return-to'
/** In sessionStorage when this session was opened by the user's first sign-in. */
export const firstKey = 'ntalo.first-sign-in'
/** In sessionStorage: a message from the previous page, as JSON. */
const noticeKey = 'ntalo.left-notice'
/**
 * In localStorage until the server confirms a sign-out: the session cookie, which scripts cannot delete, must not sign
 * the user in again.
 */
export const pendingSignOutKey = 'ntalo.sign-out-unheard'

/**
 * Messages between tabs: `in` after a sign-in, `out` when the user signs out, `gone` when the server has confirmed it.
 */
export const otherTabs =
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('ntalo.session')

/** A message for the next page, and how long it is shown when not as long as usual. */
type Notice = { message: string; durationMs?: number }

/** Stores a message for the next page. */
export function leaveNotice(notice: Notice): void {
  sessionStorage.setItem(noticeKey, JSON.stringify(notice))
}

/** Returns and deletes the message from the previous page. */
export function takeNotice(): Notice | null {
  const notice = sessionStorage.getItem(noticeKey)
  sessionStorage.removeItem(noticeKey)
  return notice && JSON.parse(notice)
}

/**
 * Runs one at a time, over all tabs, the calls that change the shared session cookie: otherwise the last response to
 * arrive would win. Without the Web Locks API (no https) calls may overlap.
 */
export function inTurn<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks ? navigator.locks.request('ntalo.session', work) : work()
}
