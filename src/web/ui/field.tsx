import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { controlClass } from '#web/ui/control-class.ts'

/** Attributes that tie a control to its label, hint and error. */
export type ControlProps = {
  id: string
  className: string
  required?: boolean
  'aria-invalid'?: true
  'aria-describedby'?: string
}

export type FieldProps = {
  label: string
  hint?: ReactNode
  error?: string
  required?: boolean
  /** Shows the label to screen readers only, when the context makes it obvious. */
  hideLabel?: boolean
  className?: string
}

/** A label, its control, then the hint or the error, tied together for screen readers. */
export function Field(props: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const { label, hint, error, required, hideLabel, className = '', children } = props
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1.5 block text-sm font-medium'}>
        {label}
        {required && (
          <span className="text-red" aria-hidden>
            {' *'}
          </span>
        )}
      </label>
      {children({
        id,
        className: controlClass,
        required,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-xs text-ink-soft">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

/** An error below the control that it concerns. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1.5 flex gap-1.5 text-xs font-medium text-red">
      <CircleAlert className="size-4 shrink-0" aria-hidden />
      <span>{children}</span>
    </p>
  )
}

/** Several controls with one label: checkboxes, radios, a range. */
export function FieldGroup({
  label,
  hint,
  error,
  required,
  className = '',
  children,
}: FieldProps & { children: ReactNode }) {
  const id = useId()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset className={`min-w-0 ${className}`} aria-describedby={described || undefined}>
      <legend className="mb-1.5 text-sm font-medium">
        {label}
        {required && (
          <span className="text-red" aria-hidden>
            {' *'}
          </span>
        )}
      </legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-1.5 text-xs text-ink-soft">
          {hint}
        </p>
      )}
      {children}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
