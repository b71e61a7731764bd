import { FileField, type FileFieldProps } from './file-field.tsx';

interface Props extends FileFieldProps {
  title: string;
  note: string;
  /** Something hovers over the page. */
  over: boolean;
}

/** A place that looks as if files fell into it, and opens the file picker. */
export function FileDrop({ title, note, over, ...field }: Props) {
  return (
    <label class={`drop ${over ? 'over' : ''}`}>
      <FileField {...field} />
      <strong>{title}</strong>
      <span>{note}</span>
    </label>
  );
}
