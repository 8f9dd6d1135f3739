// The attributes by which gather and scatter name the same dimension numbers.
#pragma once

namespace partir::ops {

struct LookupNames {
  const char* windows;  ///< dimensions of the result or of the updates that are positions in a window
  const char* single;   ///< dimensions of operand 0 of which a window has one position, and no dimension
  const char* operand_batching;
  const char* indices_batching;
  const char* map;  ///< the dimension of operand 0 that each component of the indices addresses
};
inline constexpr LookupNames kGatherNames = {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                                             "start_indices_batching_dims", "start_index_map"};
inline constexpr LookupNames kScatterNames = {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                                              "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

}  // namespace partir::ops
