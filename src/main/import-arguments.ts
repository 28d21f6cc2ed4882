import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readCurrencyMap } from '#features/imports/prices/quotes.rules.ts'

/** The arguments are invalid; the message gives the usage. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const usage = `Utilisation : npm run import -- prices FICHIER [options]

  FICHIER                   CSV ou XLSX ; «\u202f-\u202f» lit l’entrée standard
  --dry-run                 dit ce qui se passerait, n’écrit rien
  --currency-map XAF=CDF    lit une devise comme une autre (à répéter au besoin)
  --mapping NOM             lit les colonnes comme la correspondance de ce nom (page Imports)
  --json                    donne le rapport en JSON sur la dernière ligne`

/**
 * Parses the arguments of `npm run import -- prices FILE …`.
 *
 * @throws UsageError in French
 */
export function readArguments(words: string[]) {
  const { values, positionals } = parse(words)
  const [subject, file, ...others] = positionals
  if (subject !== 'prices' || !file || others.length > 0) throw new UsageError(usage)
  const currencyMap = readCurrencyMap(values['currency-map'] ?? [])
  if (currencyMap.reason !== undefined) throw new UsageError(currencyMap.reason)
  return {
    // « - » means standard input.
    path: file === '-' ? file : resolve(values.from ?? '', file),
    fileName: file === '-' ? 'l’entrée standard' : basename(file),
    isDryRun: values['dry-run'] ?? false,
    isJson: values.json ?? false,
    mappingName: values.mapping ?? null,
    currencyMap: currencyMap.value,
  }
}

function parse(words: string[]) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean' },
        json: { type: 'boolean' },
        mapping: { type: 'string' },
        'currency-map': { type: 'string', multiple: true },
        // The folder from which the command was run, since npm changes to the folder of package.json.
        from: { type: 'string' },
      },
    })
  } catch (error) {
    // For an unknown option or a missing value, the French usage is clearer than Node's English message.
    throw new UsageError(usage, { cause: error })
  }
}
