import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * JSON lines on standard error, so that standard output keeps only what a person started the program for.
 * Requests are logged by id, route, status and time: no query, body, address or header, hence no personal data.
 *
 * @param into where the lines go instead
 */
export function createLog(
  level: string,
  into: DestinationStream = pino.destination({ dest: 2, sync: true }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['*.password', '*.token', '*.authorization', '*.cookie', '*.email'], censor: '[…]' },
      serializers: { err: describeError },
    },
    into,
  )
}

// A database error carries the row's values in `detail` and `where`: its code and message are enough to act on.
function describeError(error: unknown) {
  if (!(error instanceof Error)) {
    return { message: String(error) }
  }
  const code = 'code' in error ? String(error.code) : undefined
  return { type: error.name, message: error.message, code, stack: error.stack }
}
