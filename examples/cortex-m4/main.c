/* Max pooling, convolution, relu and average pooling of an 8x8 picture with the certifiable C API, in memory that the
 * program owns. The digests are those of every other machine. */
#include <bitexact/fx.h>

#include "board.h"
#include "digest.h"

static fixed_t input_data[8 * 8], pooled_data[4 * 4], edges_data[6 * 6], positive_data[6 * 6], average_data[4 * 4];
static fx_matrix_t input = {input_data, 8, 8}, pooled = {pooled_data, 4, 4}, edges = {edges_data, 6, 6},
                   positive = {positive_data, 6, 6}, average = {average_data, 4, 4};

/* Stands for a sensor: a linear congruential generator's upper bits, from -16 to just below 16. */
static void read_input(void) {
  uint32_t state = 1;
  int i;
  for (i = 0; i < 8 * 8; ++i) {
    state = state * 1664525u + 1013904223u;
    input_data[i] = (fixed_t)(state >> 11) - 16 * FIXED_ONE;
  }
}

static int compute(void) {
  return fx_maxpool_2x2(&input, &pooled) == FX_OK && fx_conv2d(&input, &FX_KERNEL_SOBEL_X, &edges) == FX_OK &&
         fx_relu(&edges, &positive) == FX_OK && fx_avgpool_2x2(&input, &average) == FX_OK &&
         fx_maxpool_2x2(&input, &edges) == FX_ERR_SHAPE; /* 4x4 do not fit 6x6: refused, edges are left as they are */
}

static void show(const char* name, const fx_matrix_t* m) {
  char hex[65];
  digest_hex(m, hex);
  board_print(name);
  board_print(hex);
  board_print("\n");
}

int main(void) {
  read_input();
  if (!compute()) return 1;
  board_print_stack("stack ");
  show("input ", &input);
  show("fx_maxpool_2x2 ", &pooled);
  show("fx_conv2d ", &edges);
  show("fx_relu ", &positive);
  show("fx_avgpool_2x2 ", &average);
  board_print_stack("stack_with_digests ");
  return 0;
}
