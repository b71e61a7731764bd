import { fetchBytes, type NamedFile } from './files.ts';

export interface Photo extends NamedFile {
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

export const fetchSampleFile = (file: string) => fetchBytes(`samples/${file}`);

export async function loadSample(sample: string): Promise<Photo> {
  const { file } = SAMPLES[sample]!;
  return { name: file, bytes: await fetchSampleFile(file), sample };
}
