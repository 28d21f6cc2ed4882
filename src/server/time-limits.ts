/**
 * How long (ms) the server lets work last, or wait for its turn, before it cuts or refuses it. Read each time a limit
 * is applied, so that tests about other things can widen all of them on a slow machine.
 */
export const timeLimits = {
  /** One statement of a request. */
  statement: 5_000,
  /** A transaction between two of its statements. */
  idleInTransaction: 10_000,
  /** A free or a new connection to the database. */
  connection: 4_000,
  /** An answer to a request, of the five seconds that are promised: half a second is left for all the rest. */
  answer: 4_500,
  /** The answer of the server that stores files, to begin; below what a whole answer may take. */
  store: 3_500,
  /** The turn of a request at a gate, expected when it comes; longer in a burst, which ends by itself. */
  turn: 500,
  turnInBurst: 2_000,
  /** The turn of a request that signs somebody in, or asks whether the server lives. */
  essentialTurn: 4_000,
  /** The turn at a gate as it really comes, after which one is sent away. */
  patience: 4_000,
  /** The turn of a password to be hashed. */
  passwordTurn: 2_000,
  /** The turn of a picture to be decoded. */
  pictureTurn: 20_000,
  /** The turn of a report to be drawn, and its drawing. */
  reportTurn: 60_000,
  report: 60_000,
  /** The rows of a workbook, waited for in all: a job waits for its turn, and its processor time ends a hostile one long before. */
  workbook: 600_000,
}
