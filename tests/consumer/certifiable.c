/* The matrix API from C99: the edge of a step of height one under Sobel X is four. */
#include <bitexact/fx.h>
#include <stdio.h>

int main(void) {
  fixed_t step[9] = {0, 0, FIXED_ONE, 0, 0, FIXED_ONE, 0, 0, FIXED_ONE};
  fixed_t edge[1] = {0};
  fx_matrix_t in, out;
  fx_matrix_init(&in, step, 3, 3);
  fx_matrix_init(&out, edge, 1, 1);
  if (fx_conv2d(&in, &FX_KERNEL_SOBEL_X, &out) != FX_OK || edge[0] != 4 * FIXED_ONE) {
    printf("expected %d, got %d\n", (int)(4 * FIXED_ONE), (int)edge[0]);
    return 1;
  }
  return 0;
}
