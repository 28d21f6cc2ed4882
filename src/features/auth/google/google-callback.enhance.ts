// Posts Google's response to the server without a click, and reports the result.
import { authAddresses } from '#features/auth/auth.addresses.ts'
import { ownPath } from '#features/auth/auth.rules.ts'
import type { googleCallback } from '#features/auth/google/google.contract.ts'
import { googleWords } from '#features/auth/google/google.rules.ts'
import { ApiError, exchange, messageOf } from '#web/api.ts'
import { firstKey, inTurn, leaveNotice, otherTabs, pendingSignOutKey } from '#web/session-keys.ts'

const answer = document.querySelector('[data-answer]')
if (answer) void signIn(JSON.parse(answer.textContent ?? '{}'))

async function signIn(query: Record<string, string>): Promise<void> {
  // Removed from the history, and not sent again by a reload.
  history.replaceState(null, '', location.pathname)
  try {
    const opened = await inTurn(() =>
      exchange<typeof googleCallback>(authAddresses.googleCallback, { query }),
    )
    if (opened.isFirstLogin) sessionStorage.setItem(firstKey, '1')
    localStorage.removeItem(pendingSignOutKey)
    leaveNotice({ message: opened.message, durationMs: 2000 })
    otherTabs?.postMessage('in')
    location.replace(ownPath(opened.redirectUrl))
  } catch (error) {
    const asksCode = error instanceof ApiError && error.faults.some(({ field }) => field === 'code')
    show(asksCode ? 'code' : 'failed')
    if (!asksCode)
      tell(error instanceof ApiError && error.status < 500 ? messageOf(error) : googleWords.failed)
  }
}

function show(step: string): void {
  for (const each of document.querySelectorAll<HTMLElement>('[data-step]')) {
    each.hidden = each.dataset.step !== step
  }
  document.querySelector<HTMLInputElement>('[data-step=code]:not([hidden]) input')?.focus()
}

function tell(message: string): void {
  const notice = document.querySelector<HTMLElement>('[data-notice]')
  const place = notice?.querySelector('[data-notice-message]')
  if (!notice || !place) return
  notice.dataset.tone = 'error'
  notice.setAttribute('role', 'alert')
  notice.hidden = false
  place.textContent = message
}
