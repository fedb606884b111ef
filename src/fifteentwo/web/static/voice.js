// The browser's own voice.

import { lang } from "./text.js";

export const hasVoice = () => "speechSynthesis" in window;

/** Words as the voice will say them. @param {string} words @param {number} [rate] */
export function utterance(words, rate = 1) {
  const speech = new SpeechSynthesisUtterance(words);
  speech.lang = lang === "ja" ? "ja-JP" : "en-GB";
  speech.rate = rate;
  return speech;
}

export const hush = () => hasVoice() && speechSynthesis.cancel();
