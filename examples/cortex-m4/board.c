/* A Cortex-M4 without a C library: vector table, startup, output by semihosting, and a painted stack. */
#include "board.h"

#include <stdint.h>
#include <string.h>

int main(void);
void board_reset(void); /* the entry of board.ld */

/* Of board.ld. */
extern uint32_t board_data[], board_data_end[], board_data_load[], board_bss[], board_bss_end[], board_stack_top[];

enum { SYS_WRITE0 = 0x04, SYS_EXIT = 0x18 };
#define EXIT_SUCCESS_REASON 0x20026u
#define EXIT_FAILURE_REASON 0x20023u

static void semihost(uint32_t operation, uintptr_t argument) {
  register uint32_t r0 __asm__("r0") = operation;
  register uintptr_t r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void board_print(const char* text) { semihost(SYS_WRITE0, (uintptr_t)text); }

static void board_exit(int status) {
  semihost(SYS_EXIT, status == 0 ? EXIT_SUCCESS_REASON : EXIT_FAILURE_REASON);
  for (;;) {
  }
}

static const uint32_t paint = 0xa5c3f00du;

static void paint_stack(void) {
  uint32_t *stack_pointer, *p;
  __asm__ volatile("mov %0, sp" : "=r"(stack_pointer));
  for (p = board_bss_end; p < stack_pointer; ++p) *(volatile uint32_t*)p = paint;
}

void board_print_stack(const char* label) {
  const uint32_t* p = board_bss_end;
  char text[] = "          \n";
  char* digit = text + sizeof text - 2;
  uint32_t used;
  while (p < board_stack_top && *p == paint) ++p;
  used = (uint32_t)((uintptr_t)board_stack_top - (uintptr_t)p);
  do *--digit = (char)('0' + used % 10);
  while ((used /= 10) != 0);
  board_print(label);
  board_print(digit);
}

void board_reset(void) {
  memcpy(board_data, board_data_load, (uintptr_t)board_data_end - (uintptr_t)board_data);
  memset(board_bss, 0, (uintptr_t)board_bss_end - (uintptr_t)board_bss);
  paint_stack();
  board_exit(main());
}

static void board_fault(void) {
  board_print("fault\n");
  board_exit(1);
}

/* The initial stack pointer, then the exceptions of ARMv7-M; no interrupt is enabled. */
typedef union board_vector {
  const void* stack;
  void (*handler)(void);
} board_vector_t;
__attribute__((section(".vectors"), used)) static const board_vector_t board_vectors[16] = {
    {.stack = board_stack_top},
    {.handler = board_reset},
    {.handler = board_fault}, /* NMI */
    {.handler = board_fault}, /* HardFault, to which the others escalate */
};
