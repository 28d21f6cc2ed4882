// Enhances the forms of visitors, which also work without this script: it reports errors at once, keeps typed values
// when the network fails, and remembers the address while the tab is open.
import { authAddresses } from '#features/auth/auth.addresses.ts'
import { ownPath } from '#features/auth/auth.rules.ts'
import type { googleInitiate } from '#features/auth/google/google.contract.ts'
import { googleWords } from '#features/auth/google/google.rules.ts'
import {
  differentPasswords,
  emptyFields,
  noticeOf,
  secondStepTitle,
  shortPassword,
} from '#features/auth/visitor-page.rules.ts'
import { ApiError, exchange } from '#web/api.ts'
import {
  emailKey,
  firstKey,
  inTurn,
  leaveNotice,
  otherTabs,
  pendingSignOutKey,
  returnToKey,
  takeNotice,
} from '#web/session-keys.ts'

const form = document.querySelector<HTMLFormElement>('form[data-endpoint]')
const notice = document.querySelector<HTMLElement>('[data-notice]')
const required = 'Ce champ est obligatoire'
const checkConnection = 'Veuillez vérifier votre connexion et réessayer.'
const isSignIn = form?.dataset.endpoint === authAddresses.login.path

if (form) {
  form.noValidate = true
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!form.hasAttribute('aria-busy')) void submit(form)
  })
  for (const button of form.querySelectorAll<HTMLButtonElement>('[data-reveal]')) reveal(button)
  const email = field('email')
  if (email && !email.value) email.value = sessionStorage.getItem(emailKey) ?? ''
  const left = takeNotice()
  if (left) {
    // The user has just signed out: none of their data may stay.
    sessionStorage.clear()
    tell('success', left.message)
  }
}

const google = document.querySelector<HTMLAnchorElement>('[data-google]')
google?.addEventListener('click', (event) => {
  event.preventDefault()
  void startGoogle()
})

async function startGoogle(): Promise<void> {
  const wanted = field('redirectUrl')?.value
  const query = wanted ? { redirectUrl: ownPath(wanted) } : {}
  try {
    const { redirect_url } = await exchange<typeof googleInitiate>(authAddresses.googleInitiate, { query })
    if (redirect_url) location.assign(redirect_url)
    else tell('error', googleWords.cannotStart, 'Erreur')
  } catch (error) {
    const isAbsent = error instanceof ApiError && error.message === googleWords.notConfigured
    tell('error', isAbsent ? error.message : googleWords.cannotStart, 'Erreur')
  }
}

if (form && isSignIn) {
  const wanted = field('redirectUrl')
  if (wanted?.value) {
    // The server never receives the part after #. The address bar shows only the page; `history.state` keeps the target
    // across a reload.
    const asked = wanted.value + location.hash
    history.replaceState({ asked }, '', location.pathname)
  }
  if (wanted) wanted.value = Object(history.state).asked ?? sessionStorage.getItem(returnToKey) ?? ''
  otherTabs?.addEventListener('message', ({ data }) => data === 'in' && enter())
}

async function submit(form: HTMLFormElement): Promise<void> {
  const body = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const faults = findFaults(body)
  show(faults)
  if (Object.keys(faults).length > 0) {
    // An error shown under its field is not repeated in the notice.
    if (Object.values(faults).includes(shortPassword)) notice?.toggleAttribute('hidden', true)
    else tell('error', Object.values(faults).includes(required) ? emptyFields : differentPasswords, 'Erreur')
    return
  }
  if (body.email !== undefined) sessionStorage.setItem(emailKey, body.email.trim())
  busy(form, true)
  try {
    const send = () => exchange({ method: 'POST', path: form.dataset.endpoint ?? '' }, { body })
    const answer = await (isSignIn ? inTurn(send) : send())
    if (Object(answer).isFirstLogin) sessionStorage.setItem(firstKey, '1')
    succeed(form, String(Object(answer).message), isAgentOnPhone(answer) ? fieldTool : undefined)
  } catch (error) {
    fail(form, error)
  }
}

function findFaults(body: Record<string, string>): Record<string, string> {
  const empty = inputs().filter((input) => input.required && (body[input.name] ?? '').trim() === '')
  if (empty.length > 0) return Object.fromEntries(empty.map(({ name }) => [name, required]))
  const short = inputs().filter(({ name, minLength }) => minLength > (body[name] ?? '').length)
  if (short.length > 0) return Object.fromEntries(short.map(({ name }) => [name, shortPassword]))
  const isDifferent = body.confirmPassword !== undefined && body.confirmPassword !== body.password
  return isDifferent ? { confirmPassword: differentPasswords } : {}
}

/** The offline field tool of agents. */
const fieldTool = '/collecte'

/** Returns whether the user is only an agent, on a phone: they sign in to collect prices. */
function isAgentOnPhone(answer: unknown): boolean {
  const roles: unknown = Object(Object(answer).user).roles
  return String(roles) === 'agent' && matchMedia('(pointer: coarse) and (max-width: 40rem)').matches
}

function succeed(form: HTMLFormElement, message: string, landing?: string): void {
  if (isSignIn) {
    localStorage.removeItem(pendingSignOutKey)
    leaveNotice({ message })
    otherTabs?.postMessage('in')
    enter(landing)
    return
  }
  const { next, afterS } = form.dataset
  if (next && !afterS) {
    location.assign(next)
    return
  }
  tell('success', message)
  busy(form, false)
  if (next) setTimeout(() => location.assign(next), Number(afterS) * 1000)
}

function fail(form: HTMLFormElement, error: unknown): void {
  busy(form, false)
  const refusal = error instanceof ApiError ? error : null
  const secondStep = document.querySelector<HTMLElement>('[data-second-step]')
  const isAboutCode = refusal?.faults.some((fault) => fault.field === 'code') ?? false
  if (secondStep?.hidden && isAboutCode) {
    // The password was right: this is not an error.
    secondStep.hidden = false
    tell('success', refusal?.faults[0]?.message ?? '', secondStepTitle)
    show({})
    field('code')?.focus()
    return
  }
  // Keep a password that the server has not checked, or the user would type it again and again on a bad network. Keep a
  // new password too: it is only adjusted.
  if (!isAboutCode && !refusal?.isUnanswered)
    for (const input of inputs()) if (input.autocomplete === 'current-password') input.value = ''
  const hasReason = refusal && (refusal.status < 500 || refusal.isUnanswered)
  const faults = Object.fromEntries(
    (refusal?.faults ?? []).map((fault) => [fault.field ?? '', fault.message]),
  )
  const onScreen = inputs().map(({ name }) => name)
  const reason = hasReason ? noticeOf(refusal.message, faults, onScreen) : (form.dataset.failure ?? '')
  const message = refusal?.isUnanswered ? `${reason}. ${checkConnection}` : reason
  if (message === null) notice?.toggleAttribute('hidden', true)
  else tell('error', message, form.dataset.failureTitle)
  show(faults)
  if (!form.querySelector('[aria-invalid]')) inputs().find(isPassword)?.focus()
}

function enter(landing?: string): void {
  const wanted = field('redirectUrl')?.value
  sessionStorage.removeItem(returnToKey)
  // Replaced, so that going back skips the sign-in page.
  location.replace(ownPath(wanted || landing))
}

/** Shows the error of each field, and focuses the first one. */
function show(faults: Record<string, string>): void {
  for (const input of inputs()) {
    const fault = faults[input.name]
    const place = document.getElementById(`${input.name}-fault`)
    if (place) place.textContent = fault ?? ''
    mark(input, 'aria-invalid', fault !== undefined)
  }
  form?.querySelector<HTMLInputElement>('[aria-invalid]')?.focus()
}

function tell(tone: 'error' | 'success', message: string, title = ''): void {
  if (!notice) return
  notice.dataset.tone = tone
  notice.setAttribute('role', tone === 'error' ? 'alert' : 'status')
  notice.hidden = false
  for (const [selector, text] of [
    ['[data-notice-title]', title],
    ['[data-notice-message]', message],
  ] as const) {
    const place = notice.querySelector(selector)
    if (place) place.textContent = text
  }
}

function busy(form: HTMLFormElement, isBusy: boolean): void {
  mark(form, 'aria-busy', isBusy)
  mark(form.querySelector('button[type=submit]'), 'aria-disabled', isBusy)
}

function reveal(button: HTMLButtonElement): void {
  const input = field(button.dataset.reveal ?? '')
  if (!input) return
  button.hidden = false
  button.addEventListener('click', () => {
    const isShown = input.type === 'password'
    input.type = isShown ? 'text' : 'password'
    button.dataset.isShown = String(isShown)
    button.setAttribute('aria-label', isShown ? 'Masquer le mot de passe' : 'Afficher le mot de passe')
  })
}

function mark(element: Element | null, state: string, isOn: boolean): void {
  if (isOn) element?.setAttribute(state, 'true')
  else element?.removeAttribute(state)
}

function inputs(): HTMLInputElement[] {
  return [...(form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden])') ?? [])]
}

function isPassword({ autocomplete }: HTMLInputElement): boolean {
  return autocomplete.endsWith('password')
}

function field(name: string): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>(`input[name="${name}"]`) ?? null
}
