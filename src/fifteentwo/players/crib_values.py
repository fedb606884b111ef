"""Mean crib by what a seat lays away and whose crib it is, for every form; measured by `crib_measuring`.

The figures are hundredths of a point: for pairs one row for each lower rank, ace to king, with the higher
rank from the lower one up to the king; for single cards one row, ace to king. Each is good to about ± 0.05.
"""

from collections.abc import Mapping

from fifteentwo.rules.variants import Form


def mean_crib(form: Form, own: bool, gift: tuple[int, ...]) -> float:
    """Mean points of the crib for whoever counts it; `gift`: ranks 0–12 laid away, in ascending order."""
    table = _MEANS[form][0 if own else 1]
    return table[gift]


def _table(*rows: str) -> Mapping[tuple[int, ...], float]:
    """By gift: one row of single cards, or thirteen rows of pairs."""
    numbers = [[int(word) / 100 for word in row.split()] for row in rows]
    if len(rows) == 1:
        return {(rank,): mean for rank, mean in enumerate(numbers[0])}
    return {(low, low + step): mean for low, row in enumerate(numbers) for step, mean in enumerate(row)}


_MEANS: Mapping[Form, tuple[Mapping[tuple[int, ...], float], Mapping[tuple[int, ...], float]]] = {
    Form.SIX_CARD: (
        _table(
            "525 409 440 550 544 367 375 370 332 338 372 345 333",
            "572 681 441 540 380 378 351 363 353 360 347 350",
            "571 469 600 360 354 375 362 353 368 345 351",
            "581 643 370 370 389 370 364 388 356 350",
            "871 650 587 541 539 666 695 663 653",
            "561 466 460 498 306 333 304 303",
            "579 639 390 304 330 308 308",
            "533 469 379 335 310 310",
            "503 412 380 297 306",
            "464 448 327 290",
            "530 479 398",
            "463 340",
            "451",
        ),
        _table(
            "606 511 519 571 605 492 473 498 467 456 475 442 427",
            "637 724 554 621 509 502 506 464 467 484 458 460",
            "669 601 670 490 514 499 480 462 498 456 451",
            "654 721 541 480 493 473 458 471 441 443",
            "924 733 691 617 604 739 753 722 721",
            "698 649 580 612 427 451 429 413",
            "683 761 514 426 450 426 428",
            "656 564 489 453 427 428",
            "632 538 492 401 408",
            "603 564 453 397",
            "644 547 482",
            "581 457",
            "574",
        ),
    ),
    Form.FIVE_CARD: (
        _table(
            "520 404 422 516 537 376 363 377 341 332 355 330 326",
            "548 667 431 535 389 377 359 373 337 366 329 332",
            "577 464 582 370 363 373 361 350 365 339 339",
            "556 648 381 374 374 371 354 369 350 341",
            "872 646 594 536 541 650 683 641 636",
            "576 493 459 512 311 327 308 302",
            "592 659 401 303 334 305 304",
            "538 467 380 335 312 307",
            "518 425 388 296 303",
            "465 440 326 272",
            "507 448 373",
            "442 324",
            "438",
        ),
        _table(
            "611 519 528 567 592 473 476 469 466 446 470 441 423",
            "643 735 543 606 497 495 494 477 468 485 456 461",
            "687 616 672 474 504 492 476 475 500 470 457",
            "673 732 546 482 496 476 465 485 448 444",
            "912 738 673 607 591 724 744 704 702",
            "683 614 548 597 424 448 406 404",
            "677 723 490 424 447 419 402",
            "626 537 476 444 413 401",
            "605 525 469 386 394",
            "608 530 446 371",
            "628 511 472",
            "574 433",
            "559",
        ),
    ),
    Form.THREE_HANDED: (
        _table(
            "411 428 431 432 655 426 436 439 417 394 436 403 401",
        ),
        _table(
            "421 458 457 448 657 474 479 473 453 428 460 419 407",
        ),
    ),
    Form.PARTNERS: (
        _table(
            "399 429 443 429 647 414 430 423 408 387 443 391 394",
        ),
        _table(
            "426 461 472 453 648 477 511 495 442 408 440 405 406",
        ),
    ),
    Form.FOUR_HANDED: (
        _table(
            "400 419 425 414 654 409 405 423 387 368 433 382 392",
        ),
        _table(
            "413 429 456 439 666 433 444 434 422 396 457 420 415",
        ),
    ),
}
