// Three small sounds made on the spot, and the browser's own voice. All silent until asked for.

import { hasVoice, utterance } from "../voice.js";
import { likes } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

function ready() {
  if (!likes.sound) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/**
 * A short burst of filtered noise.
 * @param {number} frequency @param {number} length @param {number} loud @param {number} [after]
 */
function brush(frequency, length, loud, after = 0) {
  const audio = ready();
  if (!audio) return;
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / samples.length) ** 3;
  const source = audio.createBufferSource();
  source.buffer = noise;
  const filter = audio.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = frequency;
  const gain = audio.createGain();
  gain.gain.value = loud;
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(audio.currentTime + after);
}

export const cardSound = () => brush(2600, 0.07, 0.5);
export const pegSound = () => brush(900, 0.04, 0.9);
export function knockSound() {
  brush(220, 0.09, 2.2);
  brush(200, 0.09, 1.8, 0.14);
}

/** Say it aloud; resolves when said. @param {string} words @returns {Promise<void>} */
export function speak(words) {
  if (!likes.speech || !hasVoice() || !words) return Promise.resolve();
  return new Promise((resolve) => {
    const speech = utterance(words, likes.speed === "slow" ? 0.9 : likes.speed === "fast" ? 1.3 : 1.1);
    const limit = setTimeout(resolve, 4000);
    speech.onend = speech.onerror = () => {
      clearTimeout(limit);
      resolve();
    };
    speechSynthesis.speak(speech);
  });
}
