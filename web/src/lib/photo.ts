export interface Photo {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Set for the page's own samples. */
  readonly sample?: string;
}

export const SAMPLES: Readonly<Record<string, { file: string; text: string }>> = {
  astronaut: { file: 'astronaut.png', text: 'Astronaut' },
  camera: { file: 'camera.png', text: 'Camera' },
  chelsea: { file: 'chelsea.png', text: 'Chelsea the cat' },
  coffee: { file: 'coffee.png', text: 'Coffee' },
  retina: { file: 'retina.jpg', text: 'Retina' },
  rocket: { file: 'rocket.jpg', text: 'Rocket' },
};

export const sampleOfFile = (file: string) => Object.keys(SAMPLES).find((name) => SAMPLES[name]!.file === file);

/** Fails with the name of what failed; the browser's own words do not have it. */
const because = (name: string) => (e: unknown): never => {
  throw new Error(`${name}: ${e instanceof Error ? e.message : e}`);
};

export async function fetchSampleFile(file: string): Promise<Uint8Array> {
  const path = `samples/${file}`;
  const answer = await fetch(path).catch(because(path));
  if (!answer.ok) throw new Error(`${path}: the server answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer().catch(because(path)));
}

export async function loadSample(sample: string): Promise<Photo> {
  const { file } = SAMPLES[sample]!;
  return { name: file, bytes: await fetchSampleFile(file), sample };
}

export async function loadFile(file: File): Promise<Photo> {
  const name = file.name || 'pasted.png';
  return { name, bytes: new Uint8Array(await file.arrayBuffer().catch(because(name))) };
}
