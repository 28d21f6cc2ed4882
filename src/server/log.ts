import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/**
 * Creates a log of JSON lines on standard error; standard output contains only the result of a command.
 * Requests are logged with id, route, status and duration: no query, body, address or header, hence no personal data.
 *
 * @param into destination of the lines instead of standard error
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

// A database error contains values of rows in `detail` and `where`, so only its code and message are logged.
function describeError(error: unknown) {
  if (!(error instanceof Error)) {
    return { message: String(error) }
  }
  const code = 'code' in error ? String(error.code) : undefined
  return { type: error.name, message: error.message, code, stack: error.stack }
}
