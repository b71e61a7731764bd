/** A file's bytes and the name it goes by. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const message = (e: unknown) => (e instanceof Error ? e.message : String(e));

/** Fails with the name of what failed; the browser's own words do not have it. */
const because = (name: string) => (e: unknown): never => {
  throw new Error(`${name}: ${message(e)}`);
};

export async function fetchBytes(url: string, name = url): Promise<Uint8Array> {
  const answer = await fetch(url).catch(because(name));
  if (!answer.ok) throw new Error(`${name}: the server answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer().catch(because(name)));
}

export async function readFile(file: File): Promise<NamedFile> {
  const name = file.name || 'pasted.png';
  return { name, bytes: new Uint8Array(await file.arrayBuffer().catch(because(name))) };
}
