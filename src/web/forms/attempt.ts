import { useState } from 'react'
import { randomKey } from '#web/random-key.ts'

/** One operation that the user requests, over all its retries. */
type Attempt = {
  /**
   * Returns the idempotency key: the same as long as the content is the same, so that the server executes the operation
   * once.
   */
  headersFor: (content: object) => { 'idempotency-key': string }
  /** Marks the operation as done: the same content is then a new operation. */
  end: () => void
}

/** Provides idempotency keys, so that a form sent again after a lost response does not create a second row. */
export function useAttempt(): Attempt {
  const [attempt] = useState(beginAttempt)
  return attempt
}

function beginAttempt(): Attempt {
  const last = { asked: '', key: '' }
  return {
    headersFor(content) {
      const asked = JSON.stringify(content, (_name, part) => (part instanceof File ? fileMark(part) : part))
      if (asked !== last.asked) Object.assign(last, { asked, key: randomKey() })
      return { 'idempotency-key': last.key }
    },
    end: () => void Object.assign(last, { asked: '', key: '' }),
  }
}

function fileMark({ name, size, lastModified }: File) {
  return { name, size, lastModified }
}
