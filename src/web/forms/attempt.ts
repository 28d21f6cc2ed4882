import { useState } from 'react'
import { randomKey } from '#web/random-key.ts'

/** One thing that somebody asks for, however often it must be sent. */
type Attempt = {
  /** What goes with it: the same key for as long as the same is asked for, which the server then does once. */
  headersFor: (content: object) => { 'idempotency-key': string }
  /** It was done: the same again is another. */
  end: () => void
}

/** Makes a form that is sent again after an answer was lost ask for the same thing, not for a second one. */
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
