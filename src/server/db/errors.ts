// The errors of the database, classed so that callers never compare SQLSTATE codes themselves.

/** The database cannot be used as configured: the message, in French, says what to do; programs print it and stop. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError'
}

export type Constraint = { kind: 'unique' | 'foreign-key' | 'check' | 'not-null' | 'exclusion'; name: string }

const constraintKinds: Record<string, Constraint['kind']> = {
  '23505': 'unique',
  '23503': 'foreign-key',
  '23514': 'check',
  '23502': 'not-null',
  '23P01': 'exclusion',
}

// admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout, too_many_connections, and
// read_only_sql_transaction: a node that is no primary any more, or not yet.
const unavailableStates = new Set(['57P01', '57P02', '57P03', '57P04', '57P05', '53300', '25006'])

const unavailableErrnos = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

// pg raises these without a code.
const unavailableMessage =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error|client was closed|query read timeout|cannot use a pool after calling end/i

/** The constraint a statement violated, or null. For `not-null` the name is the column's. */
export function constraintOf(error: unknown): Constraint | null {
  const kind = constraintKinds[codeOf(error) ?? '']
  if (!kind) return null
  return { kind, name: textOf(error, 'constraint') || textOf(error, 'column') }
}

/** The database does not answer, or is going away: try again later (503). */
export function isUnavailable(error: unknown): boolean {
  if (isPlanOutdated(error)) return true
  const code = codeOf(error)
  if (!code) return error instanceof Error && unavailableMessage.test(error.message)
  if (unavailableStates.has(code) || unavailableErrnos.has(code)) return true
  // A socket file that is absent: the embedded PostgreSQL is starting again.
  if (code === 'ENOENT') return textOf(error, 'syscall') === 'connect'
  return /^08...$/.test(code)
}

/** The connection remembers a statement as tables were before a migration, or has been made to forget it. */
export function isPlanOutdated(error: unknown): boolean {
  const code = codeOf(error)
  return code === '26000' || (code === '0A000' && textOf(error, 'message').startsWith('cached plan'))
}

/** The statement was cancelled, by `statement_timeout` or by hand. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** No answer came at all, neither a result nor an error: pg gave up (`query_timeout`). */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** The statement waited longer than `lock_timeout` for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** Two transactions crossed: running the same one again is right. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/** The server accepts no writes, for instance because it is a replica; nothing was written. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006'
}

/** A disk is full: the database's, or ours. */
export function isDiskFull(error: unknown): boolean {
  return ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')
}

/** SQLSTATE or errno of an error, or of what a refused connection (`AggregateError`) contains. */
export function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError && !textOf(error, 'code')) return codeOf(error.errors[0])
  return textOf(error, 'code') || null
}

function textOf(error: unknown, key: 'code' | 'constraint' | 'column' | 'message' | 'syscall'): string {
  if (typeof error !== 'object' || error === null || !(key in error)) return ''
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : ''
}
