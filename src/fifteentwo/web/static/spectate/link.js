// The link for spectators: copied by a press.

import { copied } from "../copying.js";
import { wordsInPage } from "../text.js";

wordsInPage();
copied();
