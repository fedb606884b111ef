// Three short sounds and the browser's voice; loaded once either is on.

import { hasVoice, utterance } from "../voice.js";

/** @type {AudioContext | null} */
let context = null;

function ready() {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

/** @param {number} frequency @param {number} length @param {number} loud @param {number} [after] */
function brush(frequency, length, loud, after = 0) {
  const audio = ready();
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

/** @type {Record<"card" | "peg" | "knock", () => void>} */
export const SOUNDS = {
  card: () => brush(2600, 0.07, 0.5),
  peg: () => brush(900, 0.04, 0.9),
  knock() {
    brush(220, 0.09, 2.2);
    brush(200, 0.09, 1.8, 0.14);
  },
};

/** Speak words; resolve when they are spoken. @param {string} words @param {number} rate @returns {Promise<void>} */
export function speak(words, rate) {
  if (!hasVoice()) return Promise.resolve();
  return new Promise((resolve) => {
    const speech = utterance(words, rate);
    const limit = setTimeout(resolve, 4000);
    speech.onend = speech.onerror = () => {
      clearTimeout(limit);
      resolve();
    };
    speechSynthesis.speak(speech);
  });
}
