/** Descriptions of names in French, with an example of each. */
export type Words = ReadonlyMap<string, { description: string; example: unknown }>

/**
 * Parses lines of `name | example in JSON | sentence`. The example is optional; blank lines are ignored. A name in
 * straight quotes is code.
 *
 * @throws Error for a line of another form, and for a name that occurs twice
 */
export function readWords(texts: readonly string[]): Words {
  const words = new Map<string, { description: string; example: unknown }>()
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim())
  for (const line of lines) {
    const [, name = '', example = '', sentence = ''] = /^(\S+) \| (.*?) ?\| (.+)$/.exec(line) ?? []
    if (!name) throw new Error(`no name, example and sentence: ${line}`)
    if (words.has(name)) throw new Error(`duplicate name: ${name}`)
    words.set(name, {
      description: sentence.replaceAll(/"(\w+)"/g, '`$1`'),
      example: example ? JSON.parse(example) : undefined,
    })
  }
  return words
}
