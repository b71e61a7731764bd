import lenet8 from '@models/lenet5-int8.onnx?url';
import lenet from '@models/lenet5.onnx?url';
import faces from '@mediapipe/face_detection/face_detection_short_range.tflite?url';
import type { TensorType } from 'bitexact';
import { fetchBytes, type NamedFile } from './files.ts';
import type { ImageChoice } from './image-choice.ts';

export interface ModelFile extends NamedFile {
  /** Set for the page's own models. */
  readonly model?: string;
}

interface OwnModel {
  readonly file: string;
  readonly url: string;
  readonly text: string;
  readonly note: string;
  readonly image: ImageChoice;
}

/** The page's own models, by the name that links have. */
export const MODELS: Readonly<Record<string, OwnModel>> = {
  'lenet5-int8': { file: 'lenet5-int8.onnx', url: lenet8, text: 'LeNet-5, 8 bits', note: 'handwritten digits, quantized ONNX', image: 'mnist' },
  lenet5: { file: 'lenet5.onnx', url: lenet, text: 'LeNet-5', note: 'handwritten digits, float ONNX in Q16.16', image: 'mnist' },
  face: { file: 'face_detection_short_range.tflite', url: faces, text: 'Faces', note: 'MediaPipe’s short-range detector (Google, Apache-2.0), TFLite in Q16.16', image: 'signed' },
};

export const FIRST_MODEL = 'lenet5-int8';
export const MODEL_FILES = '.onnx,.tflite';

export const isModelFile = (name: string) => /\.(onnx|tflite)$/i.test(name);

export async function loadModel(model: string): Promise<ModelFile> {
  const { file, url } = MODELS[model]!;
  return { name: file, bytes: await fetchBytes(url, file), model };
}

const DIGITS: Readonly<Record<string, string>> = import.meta.glob('@models/samples/*.png', { query: '?url', import: 'default', eager: true });

/** The sample digits' pictures: one of each class, in order. */
export const DIGIT_URLS = Object.keys(DIGITS).sort().map((path) => DIGITS[path]!);

/** Whether a model reads single digits as MNIST has them. */
export const readsDigits = (inputs: readonly TensorType[]) =>
  inputs.length === 1 && /^1,(1,28,28|28,28,1)$/.test(inputs[0]!.shape.join());
