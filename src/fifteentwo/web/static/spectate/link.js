// Copy the link for spectators.

import { copied } from "../copying.js";
import { wordsInPage } from "../text.js";

wordsInPage();
copied();
