// Instances of batch_norm_inference, batch_norm_training and batch_norm_grad.
#include <fmt/format.h>

#include "tests/registry/instance_table.h"

namespace partir::testing {

void add_norms(InstanceTable& table) {
  for (const char* element : {"f32", "f64", "bf16"}) {
    for (const Dims& dims : {Dims{4, 6}, Dims{6}, Dims{2, 3, 4}, Dims{3, 6, 1, 2}}) {
      for (std::size_t feature = 0; feature < dims.size(); ++feature) {
        const std::string x = tensor_text(dims, element);
        const std::string f = tensor_text({dims[feature]}, element);
        const std::string attributes =
            fmt::format("<{{epsilon = 1.000000e-03 : f32, feature_index = {} : i64}}>", feature);
        table.add("batch_norm_inference", fmt::format("%x: {0}, %s: {1}, %o: {1}, %m: {1}, %v: {1}", x, f),
                  fmt::format("  %0 = \"stablehlo.batch_norm_inference\"(%x, %s, %o, %m, %v) {2} : ({0}, {1}, {1}, "
                              "{1}, {1}) -> {0}",
                              x, f, attributes));
        table.add("batch_norm_training", fmt::format("%x: {0}, %s: {1}, %o: {1}", x, f),
                  fmt::format("  %0:3 = \"stablehlo.batch_norm_training\"(%x, %s, %o) {2} : ({0}, {1}, {1}) -> ({0}, "
                              "{1}, {1})",
                              x, f, attributes));
        table.add("batch_norm_grad", fmt::format("%x: {0}, %s: {1}, %m: {1}, %v: {1}, %g: {0}", x, f),
                  fmt::format("  %0:3 = \"stablehlo.batch_norm_grad\"(%x, %s, %m, %v, %g) {2} : ({0}, {1}, {1}, {1}, "
                              "{0}) -> ({0}, {1}, {1})",
                              x, f, attributes));
      }
    }
  }
}

}  // namespace partir::testing
