// Classifies database errors, so that callers never compare SQLSTATE codes themselves.

/** The database cannot be used as configured. The message, in French, gives the remedy; programs print it and exit. */
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
// read_only_sql_transaction (a node that is not, or no longer, the primary).
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

/** Returns the constraint that a statement violated, or null. For `not-null`, the name is the column's. */
export function constraintOf(error: unknown): Constraint | null {
  const kind = constraintKinds[codeOf(error) ?? '']
  if (!kind) return null
  return { kind, name: textOf(error, 'constraint') || textOf(error, 'column') }
}

/** Whether the database does not answer or is shutting down: the caller may retry later (503). */
export function isUnavailable(error: unknown): boolean {
  if (isPlanOutdated(error)) return true
  const code = codeOf(error)
  if (!code) return error instanceof Error && unavailableMessage.test(error.message)
  if (unavailableStates.has(code) || unavailableErrnos.has(code)) return true
  // The socket file is absent: the embedded PostgreSQL is restarting.
  if (code === 'ENOENT') return textOf(error, 'syscall') === 'connect'
  return /^08...$/.test(code)
}

const lostStates = new Set(['57P01', '57P02', '57P03', '57P05'])
const lostErrnos = new Set(['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE'])
const lostMessage =
  /connection terminated(?! due)|client has encountered a connection error|client was closed/i

/**
 * Whether the connection could not be opened or was lost. PostgreSQL rolls back what was sent on it, unless a commit was
 * sent.
 */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error)
  if (!code) return error instanceof Error && lostMessage.test(error.message)
  return lostStates.has(code) || lostErrnos.has(code) || /^08...$/.test(code)
}

/** Whether a prepared statement is outdated after a migration, or no longer exists on the connection. */
export function isPlanOutdated(error: unknown): boolean {
  const code = codeOf(error)
  return code === '26000' || (code === '0A000' && textOf(error, 'message').startsWith('cached plan'))
}

/** Whether the statement was cancelled, by `statement_timeout` or by an operator. */
export function isStatementCancelled(error: unknown): boolean {
  return codeOf(error) === '57014'
}

/** Whether pg gave up after its `query_timeout`, without a result or an error. */
export function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** Whether the statement waited longer than `lock_timeout` for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03'
}

/** Whether a transaction failed on a conflict with another (serialization failure, deadlock) and should be retried. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01'
}

/** Whether the server accepts no writes, for instance because it is a replica; nothing was written. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006'
}

/** Whether the disk of the database or of this machine is full. */
export function isDiskFull(error: unknown): boolean {
  return ['53100', 'ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '')
}

/** Returns the SQLSTATE or errno of an error, or of the first error in an `AggregateError` (refused connection). */
export function codeOf(error: unknown): string | null {
  if (error instanceof AggregateError && !textOf(error, 'code')) return codeOf(error.errors[0])
  return textOf(error, 'code') || null
}

function textOf(error: unknown, key: 'code' | 'constraint' | 'column' | 'message' | 'syscall'): string {
  if (typeof error !== 'object' || error === null || !(key in error)) return ''
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : ''
}
