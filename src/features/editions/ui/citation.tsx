import { Copy } from 'lucide-react'
import { useState } from 'react'
import type { Edition } from '#features/editions/editions.contract.ts'
import { Button } from '#web/ui/button.tsx'
import { copyText } from '#web/ui/copy-text.ts'
import { Segmented } from '#web/ui/segmented.tsx'

const forms = [
  { value: 'text', label: 'Texte' },
  { value: 'bibtex', label: 'BibTeX' },
  { value: 'csl', label: 'CSL-JSON' },
] as const

/** Shows the citation of an edition, to copy. */
export function Citation({ citation }: { citation: Edition['citation'] }) {
  const [form, setForm] = useState<(typeof forms)[number]['value']>('text')
  const text = form === 'csl' ? JSON.stringify([citation.csl], null, 2) : citation[form]
  return (
    <details className="mt-2">
      <summary className="min-h-11 cursor-pointer py-2 font-medium">Citer cette édition</summary>
      <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
        <Segmented label="Forme de la citation" options={forms} value={form} onChange={setForm} />
        <Button icon={Copy} onClick={() => copyText(text, 'Citation copiée')}>
          Copier
        </Button>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard.
        tabIndex={0}
        className="mt-3 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap break-words"
      >
        {text}
      </pre>
    </details>
  )
}
