// The browser's own voice.

import { lang } from "./text.js";

export const hasVoice = () => "speechSynthesis" in window;

/** Create a spoken text. @param {string} words @param {number} [rate] */
export function utterance(words, rate = 1) {
  const speech = new SpeechSynthesisUtterance(words);
  speech.lang = lang === "ja" ? "ja-JP" : "en-GB";
  speech.rate = rate;
  return speech;
}

export const stopSpeaking = () => hasVoice() && speechSynthesis.cancel();
