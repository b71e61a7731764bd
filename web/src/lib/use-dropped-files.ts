import { useEffect, useRef, useState } from 'preact/hooks';

/** Files dropped anywhere on the page, or pasted; tells whether something hovers. */
export function useDroppedFiles(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onFile);
  latest.current = onFile;
  useEffect(() => {
    const aborter = new AbortController();
    const on = (type: string, listener: (e: Event) => void) => document.addEventListener(type, listener, { signal: aborter.signal });
    const take = (files: FileList | undefined) => files?.[0] && latest.current(files[0]);
    const drag = (e: Event) => {
      const { dataTransfer } = e as DragEvent;
      if (!dataTransfer?.types.includes('Files')) return;
      e.preventDefault();
      setOver(e.type === 'dragover');
      if (e.type === 'drop') take(dataTransfer.files);
    };
    for (const type of ['dragover', 'dragleave', 'drop']) on(type, drag);
    on('paste', (e) => take((e as ClipboardEvent).clipboardData?.files));
    return () => aborter.abort();
  }, []);
  return over;
}
