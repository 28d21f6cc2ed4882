import { CodeBlock, InlineCode, Snippets, WithCode } from '#features/reference/code.view.tsx'
import {
  DevelopersPage,
  type DevelopersProps,
  subjectPath,
} from '#features/reference/developers-page.view.tsx'
import type { ReferenceSubject, ShownField, ShownOperation } from '#features/reference/reference.rules.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { TextLink } from '#web/ui/text-link.view.tsx'

type SubjectProps = DevelopersProps & { subject: ReferenceSubject }

export function head({ subject }: SubjectProps): DocumentHead {
  return {
    title: `${subject.title} · API Ntalo`,
    description: `Référence de l’API de Ntalo, ${subject.title.toLowerCase()}\u00a0: paramètres, champs, refus et exemples de chaque opération.`,
    canonicalPath: subjectPath(subject.name),
    enhancement: 'public-site',
  }
}

/** Every operation of a subject, with its parameters, responses and example requests. */
export function ReferenceSubjectView({ subject, ...others }: SubjectProps) {
  const { operations } = subject
  return (
    <DevelopersPage
      {...others}
      path={subjectPath(subject.name)}
      title={subject.title}
      lead="Chaque exemple se lance tel quel, avec votre clé dans NTALO_KEY."
    >
      <nav aria-label="Opérations" className="mt-6 rounded-md border border-line bg-surface p-4">
        <ul>
          {operations.map(({ id, method, summary }) => (
            <li key={id}>
              <a href={`#${id}`} className="flex gap-3 py-1 text-river hover:underline">
                <Method name={method} />
                <span>{summary}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {operations.map((operation) => (
        <Operation key={operation.id} operation={operation} />
      ))}
    </DevelopersPage>
  )
}

function Method({ name }: { name: string }) {
  return (
    <span className="w-14 shrink-0 font-mono text-xs leading-6 text-ink-soft" translate="no">
      {name}
    </span>
  )
}

function Operation({ operation }: { operation: ShownOperation }) {
  const { id, method, path, summary, description, parameters, body, answer, example, snippets } = operation
  return (
    <section id={id} className="mt-10 scroll-mt-20 border-t border-line pt-6">
      <h2 className="text-lg font-semibold tracking-tight">{summary}</h2>
      <p className="mt-2 font-mono text-sm wrap-anywhere" translate="no">
        {`${method} ${path}`}
      </p>
      <p className="mt-2 whitespace-pre-line">
        <WithCode text={description} />
      </p>
      <Access scopes={operation.scopes} ownScope={operation.ownScope} />
      {snippets.length > 0 && <Snippets of={`code ${id}`} snippets={snippets} />}
      {parameters.length > 0 && (
        <>
          <h3 className="mt-5 font-semibold">Paramètres</h3>
          <Fields fields={parameters} />
        </>
      )}
      <Folded title="Champs du corps" fields={body} />
      <Folded title="Champs de la réponse" fields={answer} />
      {example !== null && (
        <details className="mt-3">
          <summary className="cursor-pointer py-1 font-semibold">Exemple de réponse</summary>
          <CodeBlock label="200, application/json" text={example} />
        </details>
      )}
      <p className="mt-4 text-sm text-ink-soft">
        Refus propres à cette opération&nbsp;:{' '}
        {operation.refusals.map((code, at) => (
          <span key={code}>
            {at > 0 && ', '}
            <TextLink href={`/developpeurs#${code}`}>{code}</TextLink>
          </span>
        ))}
        .
      </p>
    </section>
  )
}

function Access({ scopes, ownScope }: Pick<ShownOperation, 'scopes' | 'ownScope'>) {
  return (
    <p className="mt-2 text-sm text-ink-soft">
      {scopes === null && 'Dans une session seulement\u00a0: une clé ne l’atteint pas.'}
      {scopes?.length === 0 && 'Sans clé\u00a0: ouverte à tous.'}
      {scopes && scopes.length > 0 && (
        <>
          Portée d’une clé&nbsp;:{' '}
          {scopes.map((scope, at) => (
            <span key={scope}>
              {at > 0 && ' ou '}
              <InlineCode>{scope}</InlineCode>
            </span>
          ))}
          {ownScope && (
            <>
              {' et '}
              <InlineCode>{ownScope}</InlineCode>
            </>
          )}
          .
        </>
      )}
    </p>
  )
}

function Folded({ title, fields }: { title: string; fields: readonly ShownField[] }) {
  if (fields.length === 0) return null
  return (
    <details className="mt-3">
      <summary className="cursor-pointer py-1 font-semibold">{title}</summary>
      <Fields fields={fields} />
    </details>
  )
}

function Fields({ fields }: { fields: readonly ShownField[] }) {
  return (
    <dl className="mt-2 divide-y divide-line border-y border-line text-sm">
      {fields.map(({ name, type, description, example, isRequired }) => (
        <div key={name} className="py-2 sm:grid sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)] sm:gap-4">
          <dt className="wrap-anywhere">
            <span className="font-mono" translate="no">
              {name}
            </span>
            <span className="block text-xs text-ink-soft">
              {type}
              {isRequired && ', obligatoire'}
            </span>
          </dt>
          <dd>
            <WithCode text={description} />
            {example && (
              <span className="block text-xs text-ink-soft">
                Exemple&nbsp;: <InlineCode>{example}</InlineCode>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
