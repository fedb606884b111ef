// The link for spectators: copied by a press.

import { copied } from "../copying.js";
import { wordsInPage } from "../say.js";

wordsInPage();
copied();
