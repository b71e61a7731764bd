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

export async function fetchSampleFile(file: string): Promise<Uint8Array> {
  const answer = await fetch(`samples/${file}`);
  if (!answer.ok) throw new Error(`samples/${file}: the server answered ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

export async function loadSample(sample: string): Promise<Photo> {
  const { file } = SAMPLES[sample]!;
  return { name: file, bytes: await fetchSampleFile(file), sample };
}

export async function loadFile(file: File): Promise<Photo> {
  return { name: file.name || 'pasted.png', bytes: new Uint8Array(await file.arrayBuffer()) };
}
