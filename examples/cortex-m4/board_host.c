/* The same program on a desktop. */
#include <stdio.h>

#include "board.h"

void board_print(const char* text) { fputs(text, stdout); }
void board_print_stack(const char* label) { (void)label; }
