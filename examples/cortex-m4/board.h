/* What the example asks of its board. */
#ifndef BOARD_H
#define BOARD_H

void board_print(const char* text);
/* The label, the most bytes of stack used so far, and a new line; nothing where they are not measured. */
void board_print_stack(const char* label);

#endif
