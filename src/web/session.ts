import { useSyncExternalStore } from 'react'
import type { Right } from '#shared/contract.ts'
import { ApiError, messageOf, setTokenSource, withoutStop } from '#web/api.ts'
import { createListeners } from '#web/listeners.ts'
import {
  emailKey,
  firstKey,
  inTurn,
  leaveNotice,
  otherTabs,
  pendingSignOutKey,
  takeNotice,
} from '#web/session-keys.ts'
import { toast } from '#web/ui/toast.ts'
import { isWorkUnsaved } from '#web/unsaved.ts'

/** The part of the signed-in user's account that menus and buttons need. */
export type SessionUser = {
  id: number
  name: string
  email: string
  avatar_url: string | null
  roles: readonly string[]
  permissions: readonly string[]
  /** Whether the user must turn on a second factor before anything else. */
  needsSecondFactor: boolean
}

type Session =
  | { status: 'loading' }
  /** The server could not be reached: whether a user is signed in is unknown. */
  | { status: 'unreachable' }
  /**
   * `over`: the session expired; after signing in again the user returns to the current page. `leaving`: the user
   * signed out and the request is pending. `left`: the server confirmed. `unconfirmed`: the server did not confirm.
   */
  | { status: 'out'; how: 'over' | 'leaving' | 'left' | 'unconfirmed' }
  /** `isExpired`: the session has ended on the server, but the page stays because of unsaved input. */
  | { status: 'in'; user: SessionUser; isExpired: boolean }

type Opened = { user: SessionUser; token: string }
type Credentials = { email: string; password: string; code?: string | null }

/** The calls that open, renew and end a session, given by main. */
type SessionCalls = {
  signIn: (credentials: Credentials) => Promise<Opened & { message: string; isFirstLogin: boolean }>
  refresh: () => Promise<Opened>
  signOut: (token: string | null) => Promise<{ message: string }>
}

let calls: SessionCalls
let session: Session = { status: 'loading' }
/** Never stored: a reloaded page gets a new token with its cookie. */
let token: string | null = null
let renewal: Promise<void> | null = null
let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = []
const listeners = createListeners()

/** Finds out from the cookie who is signed in. Called once when the program starts, and to retry. */
export async function startSession(given: SessionCalls = calls): Promise<void> {
  calls = given
  setTokenSource({ token: currentToken, renew })
  otherTabs?.addEventListener('message', onTabMessage)
  set({ status: 'loading' })
  try {
    if (localStorage.getItem(pendingSignOutKey)) await tellSignOut(null)
    enter(await inTurn(calls.refresh))
  } catch (error) {
    set(isOver(error) ? { status: 'out', how: 'over' } : { status: 'unreachable' })
  }
  const notice = session.status === 'in' && takeNotice()
  if (notice) toast.success(notice.message, undefined, notice)
}

/**
 * Opens a session, and resumes the calls that wait for one.
 *
 * @throws ApiError
 */
export async function signIn(credentials: Credentials): Promise<void> {
  sessionStorage.setItem(emailKey, credentials.email)
  const opened = await inTurn(() => calls.signIn(credentials))
  localStorage.removeItem(pendingSignOutKey)
  if (opened.isFirstLogin) sessionStorage.setItem(firstKey, '1')
  enter(opened)
  otherTabs?.postMessage('in')
  toast.success(opened.message)
}

/**
 * Signs out immediately in every tab, then informs the server; when it cannot be reached, it is informed before the
 * next sign-in.
 */
export async function signOut(): Promise<void> {
  const last = token
  localStorage.clear()
  leave('leaving')
  localStorage.setItem(pendingSignOutKey, '1')
  otherTabs?.postMessage('out')
  try {
    leaveNotice({ message: await tellSignOut(last) })
    set({ status: 'out', how: 'left' })
    otherTabs?.postMessage('gone')
  } catch (error) {
    set({ status: 'out', how: 'unconfirmed' })
    toast.error(
      `${withoutStop(messageOf(error))}. Vous êtes déconnecté ici\u202f; le serveur en sera averti dès qu’il répondra.`,
      'Erreur de connexion',
    )
  }
}

/** Whether this session was opened by the user's first sign-in. */
export function isFirstSignIn(): boolean {
  return sessionStorage.getItem(firstKey) !== null
}

/** Returns the current session. */
export function getSession(): Session {
  return session
}

/** Returns the current session and follows its changes. */
export function useSession(): Session {
  return useSyncExternalStore(listeners.subscribe, getSession)
}

/** Returns the user of a page that requires a session. */
export function useUser(): SessionUser {
  const now = useSession()
  if (now.status !== 'in') throw new Error('a protected page was rendered without a session')
  return now.user
}

/** Updates the user on screen after a change of their own account. */
export function followUser(user: SessionUser): void {
  if (session.status === 'in' && session.user.id === user.id) set({ ...session, user })
}

/** Returns whether the user has a right, so that buttons that the server would refuse are not shown. */
export function useMay(): (right: Right) => boolean {
  const { permissions } = useUser()
  return (right) =>
    right === 'public' || right === 'session' || [right].flat().some((each) => permissions.includes(each))
}

function set(next: Session): void {
  session = next
  listeners.notify()
}

function enter(opened: Opened): void {
  // Another user signed in from another tab: this page shows the previous user's data.
  if (session.status === 'in' && session.user.id !== opened.user.id) {
    location.reload()
    return
  }
  token = opened.token
  set({ status: 'in', user: opened.user, isExpired: false })
  for (const call of waiting) call.resolve()
  waiting = []
}

// Clears the data of this tab only. Shared data are cleared by the tab in which the user signed out: a tab notified
// later would also delete the mark that the server has not confirmed.
function leave(how: 'over' | 'leaving'): void {
  const email = sessionStorage.getItem(emailKey) ?? ''
  token = null
  sessionStorage.clear()
  if (how === 'over') sessionStorage.setItem(emailKey, email)
  set({ status: 'out', how })
  for (const call of waiting) call.reject(over)
  waiting = []
}

async function currentToken(): Promise<string | null> {
  // A failed renewal is reported to the calls that requested it; this call will get its own 401.
  await renewal?.catch(() => undefined)
  return token
}

/** Renews once for all the calls in flight; a later call with an older token finds the new one. */
async function renew(used: string): Promise<void> {
  if (session.status !== 'in') throw over
  if (token !== null && token !== used) return
  renewal ??= renewNow().finally(() => {
    renewal = null
  })
  return renewal
}

async function renewNow(): Promise<void> {
  try {
    const opened = await inTurn(calls.refresh)
    // The user signed out while the answer was on its way.
    if (session.status !== 'in') throw over
    enter(opened)
  } catch (error) {
    if (!isOver(error) || session.status !== 'in') throw error
    token = null
    if (!isWorkUnsaved()) {
      localStorage.clear()
      leave('over')
      throw error
    }
    set({ ...session, isExpired: true })
    await new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }))
  }
}

async function tellSignOut(last: string | null): Promise<string> {
  const { message } = await inTurn(() => calls.signOut(last))
  localStorage.removeItem(pendingSignOutKey)
  return message
}

function onTabMessage({ data }: MessageEvent): void {
  if (data === 'out' && session.status === 'in') leave('leaving')
  if (data === 'gone' && session.status === 'out') set({ status: 'out', how: 'left' })
  const isWaiting = session.status === 'out' || (session.status === 'in' && session.isExpired)
  // When the cookie is not valid after all, the sign-in form remains on screen.
  if (data === 'in' && isWaiting) inTurn(calls.refresh).then(enter, () => undefined)
}

const over = new ApiError(401, 'Votre session est terminée. Connectez-vous à nouveau.')
const isOver = (error: unknown) => error instanceof ApiError && error.status === 401
