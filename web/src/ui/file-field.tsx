export interface FileFieldProps {
  accept: string;
  testid: string;
  onFile: (file: File) => void;
}

/** The browser's own field, out of sight in a label; the same file can be chosen twice. */
export function FileField({ accept, testid, onFile }: FileFieldProps) {
  return (
    <input
      type="file" class="hidden" accept={accept} data-testid={testid}
      onChange={(e) => {
        const file = e.currentTarget.files?.[0];
        if (file) onFile(file);
        e.currentTarget.value = '';
      }}
    />
  );
}
