/**
 * Time limits (ms) of work and of waiting in queues, after which the server cancels or refuses it. Read when a limit
 * is applied, so that tests about other things can widen all of them on a slow machine.
 */
export const timeLimits = {
  /** One statement of a request. */
  statement: 5_000,
  /** A transaction that is idle between two statements. */
  idleInTransaction: 10_000,
  /** Getting a connection to the database. */
  connection: 4_000,
  /** Producing a response; the promised five seconds leave half a second for the rest. */
  answer: 4_500,
  /** First byte from the S3 server; less than `answer`. */
  store: 3_500,
  /** Expected waiting time of a request in a queue, computed on arrival; longer in a burst, which is short. */
  turn: 500,
  turnInBurst: 2_000,
  /** Expected waiting time of a sign-in or a health check. */
  essentialTurn: 4_000,
  /** Actual waiting time in a queue, after which a request is refused. */
  patience: 4_000,
  /** Waiting to hash a password. */
  passwordTurn: 2_000,
  /** Waiting to decode a picture. */
  pictureTurn: 20_000,
  /** Waiting to draw a report, and drawing it. */
  reportTurn: 60_000,
  report: 60_000,
  /** Reading all rows of a workbook, in real time; a hostile file exceeds its processor time limit long before. */
  workbook: 600_000,
}
