import { useSyncExternalStore } from 'react'
import type { Right } from '#shared/contract.ts'
import { ApiError, callWithin, messageOf } from '#web/api.ts'
import {
  emailKey,
  firstKey,
  inTurn,
  leaveNotice,
  otherTabs,
  takeNotice,
  unheardKey,
} from '#web/session-keys.ts'
import { toast } from '#web/ui/toast.ts'
import { isWorkUnsaved } from '#web/unsaved.ts'

/** Who is signed in, as far as menus and buttons care; the whole account comes from the server. */
export type SessionUser = {
  id: number
  name: string
  email: string
  avatar_url: string | null
  roles: readonly string[]
  permissions: readonly string[]
  /** Nothing else may be done before a second factor is on. */
  needsSecondFactor: boolean
}

type Session =
  | { status: 'loading' }
  /** The server could not be asked: nobody knows yet. */
  | { status: 'unreachable' }
  /**
   * `over`: he comes back to where he was once signed in again. `leaving`: he left, the server has not heard. `left`: it
   * has. `unheard`: the server has not confirmed yet.
   */
  | { status: 'out'; how: 'over' | 'leaving' | 'left' | 'unheard' }
  /** `isExpired`: over at the server, kept on screen because something typed is not saved yet. */
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
/** Never stored: a page that is reloaded gets another one for its cookie. */
let token: string | null = null
let renewal: Promise<void> | null = null
let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = []
const listeners = new Set<() => void>()

/** Finds out who is signed in, from the cookie. Called once when the program starts, and to try again. */
export async function startSession(given: SessionCalls = calls): Promise<void> {
  calls = given
  callWithin({ token: currentToken, renew })
  otherTabs?.addEventListener('message', heed)
  set({ status: 'loading' })
  try {
    if (localStorage.getItem(unheardKey)) await tellSignOut(null)
    enter(await inTurn(calls.refresh))
  } catch (error) {
    set(isOver(error) ? { status: 'out', how: 'over' } : { status: 'unreachable' })
  }
  const notice = session.status === 'in' && takeNotice()
  if (notice) toast.success(notice)
}

/**
 * Opens a session, and resumes the calls that waited for one.
 *
 * @throws ApiError
 */
export async function signIn(credentials: Credentials): Promise<void> {
  sessionStorage.setItem(emailKey, credentials.email)
  const opened = await inTurn(() => calls.signIn(credentials))
  localStorage.removeItem(unheardKey)
  if (opened.isFirstLogin) sessionStorage.setItem(firstKey, '1')
  enter(opened)
  otherTabs?.postMessage('in')
  toast.success(opened.message)
}

/** Leaves at once, in every tab, then tells the server; one that is away is informed before anybody signs in again. */
export async function signOut(): Promise<void> {
  const last = token
  localStorage.clear()
  leave('leaving')
  localStorage.setItem(unheardKey, '1')
  otherTabs?.postMessage('out')
  try {
    leaveNotice(await tellSignOut(last))
    set({ status: 'out', how: 'left' })
    otherTabs?.postMessage('gone')
  } catch (error) {
    set({ status: 'out', how: 'unheard' })
    toast.error(
      `${messageOf(error)}. Vous êtes déconnecté ici\u202f; le serveur en sera averti dès qu’il répondra.`,
      'Erreur de connexion',
    )
  }
}

/** Whether this session was opened by the first sign-in of its user ever. */
export function isFirstSignIn(): boolean {
  return sessionStorage.getItem(firstKey) !== null
}

/** The session as it is now. */
export function getSession(): Session {
  return session
}

/** The session, followed. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, getSession)
}

/** The user of a page that is only shown to somebody signed in. */
export function useUser(): SessionUser {
  const now = useSession()
  if (now.status !== 'in') throw new Error('a protected page was rendered without a session')
  return now.user
}

/** Shows at once what the user changed of his own account. */
export function followUser(user: SessionUser): void {
  if (session.status === 'in' && session.user.id === user.id) set({ ...session, user })
}

/** Whether the server would let the user do that: buttons that it would refuse are not shown. */
export function useMay(): (right: Right) => boolean {
  const { permissions } = useUser()
  return (right) =>
    right === 'public' || right === 'session' || [right].flat().some((each) => permissions.includes(each))
}

function set(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function enter(opened: Opened): void {
  // Somebody else signed in from another tab: nothing on this page is his.
  if (session.status === 'in' && session.user.id !== opened.user.id) {
    location.reload()
    return
  }
  token = opened.token
  set({ status: 'in', user: opened.user, isExpired: false })
  for (const call of waiting) call.resolve()
  waiting = []
}

// Empties what is this tab's own. What all tabs share is emptied by the one that leaves first: another one, informed of it
// later, would forget with it that the server has not heard.
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
  // A renewal that fails reaches the calls that asked for it; this one then fails by itself.
  await renewal?.catch(() => undefined)
  return token
}

/** Renews once for all the calls in flight; those that come later, with an older token, find it done. */
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
    enter(await inTurn(calls.refresh))
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
  localStorage.removeItem(unheardKey)
  return message
}

function heed({ data }: MessageEvent): void {
  if (data === 'out' && session.status === 'in') leave('leaving')
  if (data === 'gone' && session.status === 'out') set({ status: 'out', how: 'left' })
  const isWaiting = session.status === 'out' || (session.status === 'in' && session.isExpired)
  // When the cookie opens nothing here after all, the sign-in form is still on screen.
  if (data === 'in' && isWaiting) inTurn(calls.refresh).then(enter, () => undefined)
}

const over = new ApiError(401, 'Votre session est terminée. Connectez-vous à nouveau.')
const isOver = (error: unknown) => error instanceof ApiError && error.status === 401
