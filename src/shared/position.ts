/**
 * The header that says up to which place in the log of the database an answer must have read. A write answers with it, an event
 * tells it; whoever sends it back is shown what was written before, whichever server of the database reads for him.
 */
export const positionHeader = 'ntalo-position'
