// The declarations of all operations. Each is defined in a file of its own in ir/ops, or together with a family of
// similar operations. `all` returns the complete list, from which ir/op_decl.cpp builds its table.
#pragma once

#include <vector>

#include "ir/op_decl.h"

namespace partir::ops {

std::vector<OpDecl> elementwise();
OpDecl compare();
OpDecl select();
OpDecl clamp();
OpDecl convert();
OpDecl bitcast_convert();
OpDecl reduce_precision();
OpDecl map();
OpDecl sharding_constraint();
OpDecl scan();
OpDecl ragged_dot();
OpDecl constant();
OpDecl iota();
OpDecl broadcast_in_dim();
OpDecl reshape();
OpDecl transpose();
OpDecl reverse();
OpDecl slice();
OpDecl pad();
OpDecl concatenate();
OpDecl dynamic_slice();
OpDecl dynamic_update_slice();
OpDecl reduce();
OpDecl dot_general();
OpDecl dot();
OpDecl convolution();
OpDecl gather();
OpDecl scatter();
OpDecl reduce_window();
OpDecl select_and_scatter();
OpDecl dynamic_conv();
std::vector<OpDecl> dynamic_forms();
std::vector<OpDecl> batch_norm();
std::vector<OpDecl> library_ops();
std::vector<OpDecl> collectives();
std::vector<OpDecl> core();
std::vector<OpDecl> spmd();
std::vector<OpDecl> host();
std::vector<OpDecl> shardy();
std::vector<OpDecl> known_without_meaning();

std::vector<OpDecl> all();

}  // namespace partir::ops
